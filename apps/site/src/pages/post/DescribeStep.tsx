import { useState } from 'react'
import { text } from '../../text/post.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Markdown } from '../../ui/Markdown.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { readTags } from './draft.ts'
import type { StepProps } from './step.ts'
import { useTagSuggestions } from './useTagSuggestions.ts'
import { WritingHelp } from './WritingHelp.tsx'

const words = text.describe

/** The title and what counts as done, with examples and help. */
export function DescribeStep({ draft, change, problems }: StepProps) {
  const [isPreview, setPreview] = useState(false)
  const isEmpty = draft.title === '' && draft.criteria === ''
  return (
    <>
      {isEmpty && (
        <div className="stack">
          <p className="small soft">{text.templates.label}</p>
          <div className="row wrapping">
            {text.templates.list.map(({ name, title, criteria, milestones }) => (
              <button
                key={name}
                type="button"
                className="chip"
                onClick={() => change({ title, criteria, milestones: milestones.map((each) => ({ ...each })) })}
              >
                {name}
              </button>
            ))}
          </div>
        </div>
      )}
      <TextField
        label={words.title}
        help={words.titleHelp}
        error={problems.title}
        value={draft.title}
        maxLength={120}
        onChange={(value) => change({ title: value })}
      />
      <Field label={words.criteria} help={words.criteriaHelp} error={problems.criteria}>
        {(control) =>
          isPreview ? (
            <div className="preview-box">
              <Markdown of={draft.criteria} />
            </div>
          ) : (
            <textarea
              {...control}
              rows={9}
              value={draft.criteria}
              onChange={({ target }) => change({ criteria: target.value })}
            />
          )
        }
      </Field>
      <div className="row wrapping">
        <Button size="small" onClick={() => setPreview(!isPreview)} disabled={draft.criteria === ''}>
          {isPreview ? words.edit : words.preview}
        </Button>
        <WritingHelp onUse={(criteria) => change({ criteria })} />
      </div>
      <TagField draft={draft} change={change} problems={problems} />
    </>
  )
}

/** The tags, and those of other tasks to choose from. */
function TagField({ draft, change, problems }: StepProps) {
  const chosen = readTags(draft.tags)
  const suggested = useTagSuggestions().filter((tag) => !chosen.includes(tag))
  return (
    <div className="stack">
      <TextField
        label={words.tags}
        help={words.tagsHelp}
        error={problems.tags}
        value={draft.tags}
        onChange={(value) => change({ tags: value })}
      />
      {suggested.length > 0 && (
        <ul className="row wrapping" aria-label={words.suggestedTags}>
          {suggested.slice(0, 8).map((tag) => (
            <li key={tag}>
              <button
                type="button"
                className="chip"
                aria-label={words.addTag(tag)}
                onClick={() => change({ tags: [...chosen, tag].join(', ') })}
              >
                {tag}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
