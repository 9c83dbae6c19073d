/** Swift: packages of the Swift Package Manager. Xcode projects need a Mac and a scheme, and are left to the owner. */

import {inside} from "../files/project.ts";
import {filesBelow, findFirst, stageFactory} from "../proposals/candidate-stages.ts";
import {type CandidateStage, type Ecosystem, EMPTY_PROPOSAL} from "../proposals/ecosystem.ts";

const SWIFT = {name: "swift", hint: "add the step `swift-actions/setup-swift` before Assay"};
const SWIFTLINT = {name: "swiftlint", hint: "install swiftlint before Assay"};
/** Packages that only exist for Apple's systems. */
const APPLE_ONLY = /\b(import )?(UIKit|AppKit|SwiftUI|WatchKit)\b/;

export const swift: Ecosystem = {
  name: "swift",
  title: "Swift",
  manifests: ["Package.swift"],
  where: "anywhere",
  detect({project, root}) {
    const file = inside(root, "Package.swift");
    const text = project.text(file) ?? "";
    const sources = filesBelow(project, root, /\.swift$/).filter(
      (path) => !/(^|\/)Package(@swift-[\d.]+)?\.swift$/.test(path),
    );
    // Libraries of C and C++ carry a manifest so that Swift packages can use them.
    if (sources.length === 0)
      return {...EMPTY_PROPOSAL, notes: [{about: file, text: "passed over: there are no Swift sources"}]};
    const draft = stageFactory({cwd: root, tool: SWIFT});
    const origin = {file, key: "Package", why: "a Swift package"};
    const swiftlint = findFirst(project, root, [".swiftlint.yml"]);
    const format = findFirst(project, root, [".swift-format"]);
    const folders = ["Sources", "Tests", "Source"].filter(
      (name) => filesBelow(project, inside(root, name), /\.swift$/).length > 0,
    );
    const lint: CandidateStage[] = [
      ...(swiftlint === null
        ? []
        : [
            draft(
              "lint",
              "swiftlint lint",
              {file: swiftlint, key: ".swiftlint.yml", why: "swiftlint is configured"},
              {evidence: "tool", tools: [SWIFTLINT]},
            ),
          ]),
      ...(format === null || folders.length === 0
        ? []
        : [
            draft(
              "lint",
              `swift format lint --recursive ${folders.join(" ")}`,
              {file: format, key: ".swift-format", why: "swift-format is configured"},
              {
                evidence: "tool",
                label: "format",
              },
            ),
          ]),
    ];
    const notes = sources.slice(0, 200).some((path) => APPLE_ONLY.test(project.text(path) ?? ""))
      ? [{about: file, text: "parts of it are for Apple's systems; on Linux they may not build"}]
      : [];
    return {
      stages: [
        ...lint,
        ...(/\.testTarget\s*\(/.test(text) || filesBelow(project, inside(root, "Tests"), /\.swift$/).length > 0
          ? [draft("test", "swift test", origin, {timeout: 900})]
          : []),
        draft("build", "swift build", origin, {timeout: 600}),
      ],
      setup: [],
      notes,
    };
  },
};
