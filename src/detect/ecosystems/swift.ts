/** Swift: packages of the Swift Package Manager. Xcode projects need a Mac, and are left to their owner. */
import {inside} from "../files/project.ts";
import {filesBelow, hasFileBelow, originOf} from "../proposals/candidate-stages.ts";
import type {Ecosystem, ProjectFolder, Proposal} from "../proposals/ecosystem.ts";

export const swift: Ecosystem = {
  name: "swift",
  title: "Swift",
  manifests: ["Package.swift"],
  where: "anywhere",
  detect,
};

const SWIFT = {name: "swift", hint: "add the step `swift-actions/setup-swift` before Assay"};
const SWIFTLINT = {name: "swiftlint", hint: "install swiftlint before Assay"};
/** Frameworks that exist only on Apple's systems. */
const APPLE_ONLY = /\b(import )?(UIKit|AppKit|SwiftUI|WatchKit)\b/;
const IMPORTS_APPLE = /^(?:@\w+ )?(?:public )?import (?:UIKit|AppKit|SwiftUI|WatchKit)$/m;

/** True for a file that only compiles on Apple's systems, because its import has no condition. */
const needsApple = (text: string): boolean => IMPORTS_APPLE.test(text) && !text.includes("#if ");

function detect({project, root}: ProjectFolder): Proposal {
  const file = inside(root, "Package.swift");
  const sources = filesBelow(project, root, [".swift"]).filter(
    (path) => !/(^|\/)Package(@swift-[\d.]+)?\.swift$/.test(path),
  );
  // Libraries in C and C++ may have a manifest so that Swift packages can use them.
  if (sources.length === 0) return {notes: [{about: file, text: "skipped: there are no Swift sources"}]};
  const hasSwift = (folder: string): boolean => hasFileBelow(project, inside(root, folder), [".swift"]);
  const folders = ["Sources", "Tests", "Source"].filter(hasSwift);
  const hasTests = /\.testTarget\s*\(/.test(project.text(file) ?? "") || hasSwift("Tests");
  const isForApple = sources.slice(0, 200).some((path) => APPLE_ONLY.test(project.text(path) ?? ""));
  const applePath = filesBelow(project, inside(root, "Sources"), [".swift"])
    .slice(0, 200)
    .find((path) => needsApple(project.text(path) ?? ""));
  const appleNote = {about: file, text: "parts of it are for Apple's systems; they may not build on Linux"};
  const whyElsewhere = `\`${applePath}\` needs a framework that only Apple's systems have`;
  return {
    tool: SWIFT,
    origin: originOf(file, "a Swift package", "Package"),
    checks: [
      {kind: "lint", command: "swiftlint lint", configs: [".swiftlint.yml"], tools: [SWIFTLINT]},
      {
        kind: "lint",
        command: `swift format lint --recursive ${folders.join(" ")}`,
        configs: [".swift-format"],
        configured: "swift-format",
        label: "format",
        when: folders.length > 0,
      },
      {kind: "test", command: "swift test", timeout: 900, when: hasTests && applePath === undefined},
      {kind: "build", command: "swift build", timeout: 600, when: applePath === undefined},
    ],
    notes: applePath === undefined && isForApple ? [appleNote] : [],
    notRun:
      applePath === undefined
        ? []
        : [
            {
              about: file,
              why: `no test and no build: ${whyElsewhere}`,
              fix: "run Assay on macOS, with `stages` in verify.json",
            },
          ],
  };
}
