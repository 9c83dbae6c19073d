/** The rules of GitHub that a walk follows. A test switches one off to show which mistake of a workflow it finds. */

export const RULES = {
  /** a job or step runs only when its `if:` is met */
  conditions: true,
  /** `concurrency:` of workflows and jobs */
  concurrency: true,
  /** a job output that contains a masked value is dropped (actions/runner, JobExtension.cs) */
  masks: true,
  /** outputs that a `post` writes are discarded (actions/runner, ExecutionContext.SetOutput) */
  noPostOutputs: true,
  /** `post` runs after all steps of the job, the last one first */
  postsAtEnd: true,
  /** after a cancellation conditions are evaluated again, and `cancelled()` is true */
  cancellation: true,
} as const;

export type Rules = Readonly<Record<keyof typeof RULES, boolean>>;
