/** Tools of any language that are in use if their configuration file exists. */
import type {EcosystemRow} from "./row.ts";

export const CONFIG_ROWS: readonly EcosystemRow[] = [
  {
    name: "buf",
    title: "Protocol Buffers (buf)",
    program: "buf",
    hint: "add the step `bufbuild/buf-action` with `setup_only: true` before Assay",
    manifests: ["buf.yaml", "buf.work.yaml"],
    why: "buf is configured",
    coversBelow: true,
    checks: [
      {kind: "lint", command: "buf lint", label: "buf"},
      {kind: "build", command: "buf build", label: "buf"},
    ],
  },
  {
    name: "helm",
    title: "Helm",
    program: "helm",
    hint: "add the step `azure/setup-helm` before Assay",
    manifests: ["Chart.yaml"],
    why: "a Helm chart",
    says: /^apiVersion:\s*v\d/m,
    beside: ["values.yaml"],
    coversBelow: true,
    checks: [{kind: "lint", command: "helm lint .", label: "helm"}],
  },
  {
    name: "xcode",
    title: "Xcode",
    program: "xcodebuild",
    hint: "Xcode runs on macOS only",
    manifests: ["project.pbxproj"],
    why: "an Xcode project",
    coversBelow: true,
    checks: [],
    notRun: {why: "Xcode builds it, which runs on macOS only", fix: "keep this check in a job on macOS"},
  },
];
