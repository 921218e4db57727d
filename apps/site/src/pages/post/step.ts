import type { PostDraft } from './draft.ts'

/** What each step of posting gets. `problems` has the messages of wrong fields by their name. */
export interface StepProps {
  draft: PostDraft
  change: (changes: Partial<PostDraft>) => void
  problems: Readonly<Record<string, string>>
}
