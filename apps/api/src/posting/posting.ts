/** The posting quota and its plans. */
export type Posting = Record<string, never>
