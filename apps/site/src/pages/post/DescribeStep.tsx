import { useQuery } from '@tanstack/react-query'
import { Check, Plus, Sparkles, X } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { api } from '../../api.ts'
import { text } from '../../text/post.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useMarket } from '../../useMarket.ts'
import { BriefFilesField } from './BriefFilesField.tsx'
import { readTags } from './draft.ts'
import type { StepProps } from './step.ts'

const WritingHelp = lazy(async () => ({ default: (await import('./WritingHelp.tsx')).WritingHelp }))

const labels = text.describe

/** The title and what counts as done, with examples and help. */
export function DescribeStep({ draft, change, problems }: StepProps) {
  const isEmpty = draft.title === '' && draft.criteria === ''
  const [isHelped, setHelped] = useState(false)
  const help = (
    <div>
      <Button size="small" busy={isHelped} onClick={() => setHelped(true)}>
        <Sparkles size={16} aria-hidden="true" />
        {text.writing.open}
      </Button>
    </div>
  )
  return (
    <>
      {isEmpty && (
        <div className="stack">
          <p className="small soft">{text.templates.label}</p>
          <div className="row wrapping">
            {text.templates.list.map(({ name, title, criteria, points, milestones }) => (
              <button
                key={name}
                type="button"
                className="chip"
                onClick={() =>
                  change({ title, criteria, points: [...points], milestones: milestones.map((each) => ({ ...each })) })
                }
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
        {(control) => (
          <textarea
            {...control}
            rows={7}
            value={draft.criteria}
            onChange={({ target }) => change({ criteria: target.value })}
          />
        )}
      </Field>
      <Suspense fallback={help}>
        {isHelped ? <WritingHelp onUse={(criteria) => change({ criteria })} onClose={() => setHelped(false)} /> : help}
      </Suspense>
      <Points points={draft.points} onPoints={(points) => change({ points })} />
      <BriefFilesField draft={draft} change={change} problems={problems} />
      <TagField draft={draft} change={change} problems={problems} />
    </>
  )
}

/** What counts as done, point by point. */
function Points({ points, onPoints }: { points: readonly string[]; onPoints: (points: string[]) => void }) {
  return (
    <fieldset className="form-field points">
      <legend>{labels.points}</legend>
      {points.map((point, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a point is identified by its number
        <div key={index} className="point">
          <Check size={18} aria-hidden="true" />
          <input
            className="input"
            aria-label={labels.point(index + 1)}
            maxLength={maxPointLength}
            value={point}
            onChange={({ target }) => onPoints(points.with(index, target.value))}
          />
          <Button
            look="quiet"
            size="small"
            aria-label={labels.removePoint(index + 1)}
            onClick={() => onPoints(points.toSpliced(index, 1))}
          >
            <X size={16} aria-hidden="true" />
          </Button>
        </div>
      ))}
      {points.length < maxPoints && (
        <div>
          <Button size="small" onClick={() => onPoints([...points, ''])}>
            <Plus size={16} aria-hidden="true" /> {labels.addPoint}
          </Button>
        </div>
      )}
    </fieldset>
  )
}

const [maxPoints, maxPointLength] = [12, 300]

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
