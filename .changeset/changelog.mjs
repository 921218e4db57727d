// What the change logs of the packages say: the words of each change, without the packages that only follow.
const indent = (text) => text.trim().replaceAll('\n', '\n  ')

export default {
  getReleaseLine: async ({ summary }) => `- ${indent(summary)}`,
  getDependencyReleaseLine: async () => '',
}
