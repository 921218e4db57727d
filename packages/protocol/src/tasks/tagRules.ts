/** The rules of the tags of a task: the most of them, the most characters of one, and its letters. */
export const tagRules = {
  most: 8,
  maxLength: 32,
  pattern: /^[a-z0-9]+(?:-[a-z0-9]+)*(?::[a-z0-9]+(?:-[a-z0-9]+)*)?$/,
} as const

/** Whether these can be the tags of a task. */
export const areTags = (list: readonly string[]): boolean =>
  list.length > 0 &&
  list.length <= tagRules.most &&
  new Set(list).size === list.length &&
  list.every((tag) => tag.length <= tagRules.maxLength && tagRules.pattern.test(tag))
