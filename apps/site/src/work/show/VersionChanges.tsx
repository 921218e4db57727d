import { sanitizeText } from '@svc/protocol'
import { type ChangedFile, listChangedFiles } from '@svc/protocol/internal/work'
import { useId, useState } from 'react'
import { bundleText } from '../../text/bundle.ts'
import { Button } from '../../ui/Button.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import type { OpenContent } from './BundleView.tsx'
import { countChanges, type DiffLine, diffLines, type Hunk } from './diffLines.ts'
import { findPreview, previewLimits } from './preview.ts'

const labels = bundleText.changes
/** More lines are not drawn. */
const maxLines = 1_000

interface VersionChangesProps {
  before: OpenContent
  after: OpenContent
  /** The number of the version before. */
  version: number
}

/** The files that differ between two versions, by their hashes, and for text what differs in them. */
export function VersionChanges({ before, after, version }: VersionChangesProps) {
  const changes = listChangedFiles(before.manifest, after.manifest)
  return (
    <section className="bundle-changes stack tight">
      <h4 className="bundle-heading">{labels.title(version)}</h4>
      {changes.length === 0 ? (
        <p className="small soft">{labels.none}</p>
      ) : (
        <ul className="bundle-files">
          {changes.map((change) => (
            <ChangeRow key={change.name} change={change} before={before} after={after} />
          ))}
        </ul>
      )}
    </section>
  )
}

type Compared =
  | { status: 'idle' | 'reading' | 'tooLarge' | 'notText' | 'sameText' }
  | { status: 'failed'; problem: string }
  | { status: 'compared'; hunks: readonly Hunk[] }

function ChangeRow({
  change: { name, change },
  before,
  after,
}: { change: ChangedFile } & Pick<VersionChangesProps, 'before' | 'after'>) {
  const [compared, setCompared] = useState<Compared>({ status: 'idle' })
  const panel = useId()
  const label = sanitizeText(name, { strict: true })
  const isOpen = compared.status !== 'idle'
  const isSmall = [before, after].every(
    ({ manifest }) => (manifest.files.find((file) => file.name === name)?.size ?? 0) <= previewLimits.textBytes,
  )
  const compare = async () => {
    if (isOpen) return setCompared({ status: 'idle' })
    setCompared({ status: 'reading' })
    setCompared(isSmall ? await compareFile(name, before, after) : { status: 'tooLarge' })
  }
  return (
    <li className="bundle-file">
      <div className="bundle-file-row">
        <span className={`change-mark ${change}`}>{labels.kinds[change]}</span>
        <bdi className="bundle-file-name">{label}</bdi>
        {change === 'changed' && (
          <Button
            size="small"
            busy={compared.status === 'reading'}
            aria-expanded={isOpen}
            aria-controls={isOpen ? panel : undefined}
            aria-label={bundleText.named(isOpen ? bundleText.hide : labels.compare, label)}
            onClick={compare}
          >
            {isOpen ? bundleText.hide : labels.compare}
          </Button>
        )}
      </div>
      {isOpen && (
        <div id={panel}>
          <Comparison name={label} compared={compared} />
        </div>
      )}
    </li>
  )
}

async function compareFile(name: string, before: OpenContent, after: OpenContent): Promise<Compared> {
  try {
    const [old, current] = (await Promise.all([before.readFile(name), after.readFile(name)])).map((bytes) =>
      findPreview(name, bytes),
    )
    if (old?.kind !== 'text' || current?.kind !== 'text') return { status: 'notText' }
    const hunks = diffLines(old.text, current.text)
    if (hunks === null) return { status: 'tooLarge' }
    return hunks.length === 0 ? { status: 'sameText' } : { status: 'compared', hunks }
  } catch (error) {
    const why = error instanceof Error ? ` ${error.message}` : ''
    return { status: 'failed', problem: `${bundleText.fileFailed}${why}` }
  }
}

function Comparison({ name, compared }: { name: string; compared: Compared }) {
  switch (compared.status) {
    case 'idle':
      return null
    case 'reading':
      return (
        <div role="status" aria-label={labels.reading}>
          <Skeleton lines={3} />
        </div>
      )
    case 'failed':
      return <p className="small wrong">{compared.problem}</p>
    case 'compared':
      return <Diff name={name} hunks={compared.hunks} />
    default:
      return <p className="small soft bundle-preview-none">{labels[compared.status]}</p>
  }
}

function Diff({ name, hunks }: { name: string; hunks: readonly Hunk[] }) {
  const { added, removed } = countChanges(hunks)
  let room = maxLines
  const shown = hunks.map((hunk) => {
    const lines = hunk.slice(0, Math.max(room, 0))
    room -= hunk.length
    return lines
  })
  return (
    <div className="stack tight">
      <p className="small soft">{labels.counts(added, removed)}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section className="bundle-preview diff" tabIndex={0} aria-label={name}>
        <table>
          <thead className="visually-hidden">
            <tr>
              <th scope="col">{labels.before}</th>
              <th scope="col">{labels.after}</th>
              <th scope="col">{labels.line}</th>
            </tr>
          </thead>
          {shown.map((lines) => (
            <tbody key={`${lines[0]?.before} ${lines[0]?.after}`}>
              {lines.map((line) => (
                <DiffRow key={`${line.before} ${line.after}`} line={line} />
              ))}
            </tbody>
          ))}
        </table>
      </section>
      {room < 0 && <p className="small soft">{labels.cut(maxLines)}</p>}
    </div>
  )
}

const signs = { same: ' ', added: '+', removed: '−' } as const

function DiffRow({ line: { change, text, before, after } }: { line: DiffLine }) {
  return (
    <tr className={change}>
      <td className="diff-number">{before}</td>
      <td className="diff-number">{after}</td>
      <td className="diff-text">
        <span className="diff-sign">{signs[change]}</span>
        <bdi>{text}</bdi>
      </td>
    </tr>
  )
}
