import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api.ts'
import { text } from '../../text/post.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Markdown } from '../../ui/Markdown.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useMarket } from '../../useMarket.ts'
import { readTags } from './draft.ts'
import type { StepProps } from './step.ts'
import { WritingHelp } from './WritingHelp.tsx'

const labels = text.describe

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
        label={labels.title}
        help={labels.titleHelp}
        error={problems.title}
        value={draft.title}
        maxLength={120}
        onChange={(value) => change({ title: value })}
      />
      <Field label={labels.criteria} help={labels.criteriaHelp} error={problems.criteria}>
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
          {isPreview ? labels.edit : labels.preview}
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
        label={labels.tags}
        help={labels.tagsHelp}
        error={problems.tags}
        value={draft.tags}
        onChange={(value) => change({ tags: value })}
      />
      {suggested.length > 0 && (
        <ul className="row wrapping" aria-label={labels.suggestedTags}>
          {suggested.slice(0, 8).map((tag) => (
            <li key={tag}>
              <button
                type="button"
                className="chip"
                aria-label={labels.addTag(tag)}
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

/** The tags of the newest open tasks, the most used first. None while there is no index to search. */
function useTagSuggestions(): readonly string[] {
  const market = useMarket()
  const { data } = useQuery({
    // Not a string, so that events of the market do not read them again.
    queryKey: [{ tagsOf: market }],
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: async () => {
      const { body } = await api.searchTasks({ market, limit: 100 })
      const uses = Map.groupBy(
        body.tasks.flatMap(({ tags }) => tags),
        (tag) => tag,
      )
      return [...uses].sort(([, a], [, b]) => b.length - a.length).map(([tag]) => tag)
    },
  })
  return data ?? []
}
