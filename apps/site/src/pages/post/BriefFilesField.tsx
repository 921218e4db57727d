import { briefAudiences, briefLimits } from '@svc/protocol/internal/work'
import { File as FileIcon, Lock, X } from 'lucide-react'
import { type DragEvent, useRef, useState } from 'react'
import { briefFilesText as labels } from '../../text/briefFiles.ts'
import { Button } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import { useMarket } from '../../useMarket.ts'
import { useStore } from '../../work/useStore.ts'
import type { BriefDraftFile } from '../../work/write/briefDraft.ts'
import { formatBytes } from '../../work/write/formatBytes.ts'
import type { StepProps } from './step.ts'
import '../../style/workWrite.css'

// What hashes and keeps files is loaded with the first one.
const loadBriefDraft = () => import('../../work/write/briefDraft.ts')

/** The files of the brief: dropped, or chosen with a button, and for each who can open it. */
export function BriefFilesField({ draft: { files }, change, problems }: StepProps) {
  const market = useMarket()
  const store = useStore(market)
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [isKept, setKept] = useState(true)
  const [problem, setProblem] = useState<string | null>(null)
  if (store === null) return <p className="small soft">{labels.noStore}</p>
  const add = async (added: readonly File[]) => {
    setBusy(true)
    try {
      const { addBriefFiles, keepFiles } = await loadBriefDraft()
      const next = await addBriefFiles(files, added, market)
      await keepFiles(next.local).catch(() => setKept(false))
      change({ files: next.files })
      setProblem(null)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
    setBusy(false)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const { items, files: dropped } = event.dataTransfer
    if ([...items].some((item) => item.webkitGetAsEntry()?.isDirectory)) return setProblem(labels.folder)
    void add([...dropped])
  }
  const remove = (file: BriefDraftFile) => {
    change({ files: files.filter((each) => each !== file) })
    loadBriefDraft()
      .then(({ forgetFiles }) => forgetFiles([file]))
      .catch(() => {})
  }
  const { everyone, worker } = briefLimits.bytes
  const wrong = problem ?? problems.files
  return (
    <fieldset className="form-field brief-files">
      <legend>{labels.title}</legend>
      {files.length > 0 && (
        <ul className="stack tight">
          {files.map((file) => (
            <li key={file.name} className="brief-file">
              {file.for === 'everyone' ? (
                <FileIcon size={18} aria-hidden="true" />
              ) : (
                <Lock size={18} aria-hidden="true" />
              )}
              <span className="bundle-file-name">
                <bdi>{file.name}</bdi>
                <span className="tiny faint">{formatBytes(file.size)}</span>
              </span>
              <select
                className="input"
                aria-label={labels.audience(file.name)}
                value={file.for}
                onChange={({ target }) => {
                  const audience = briefAudiences.find((each) => each === target.value) ?? 'worker'
                  change({ files: files.map((each) => (each === file ? { ...file, for: audience } : each)) })
                }}
              >
                {briefAudiences.map((audience) => (
                  <option key={audience} value={audience} disabled={audience === 'everyone' && file.sha256 === null}>
                    {labels.audiences[audience]}
                  </option>
                ))}
              </select>
              <Button look="quiet" size="small" aria-label={labels.remove(file.name)} onClick={() => remove(file)}>
                <X size={16} aria-hidden="true" />
              </Button>
            </li>
          ))}
        </ul>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is the second way; the button is for everybody */}
      <div
        className={isOver ? 'drop-zone over' : 'drop-zone'}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <p className="row small">
          {isBusy ? labels.adding : labels.drop}
          <Button size="small" busy={isBusy} onClick={() => input.current?.click()}>
            {labels.choose}
          </Button>
        </p>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          aria-label={labels.choose}
          onChange={({ target }) => {
            const chosen = [...(target.files ?? [])]
            // The same file can be chosen again after it was removed.
            target.value = ''
            if (chosen.length > 0) void add(chosen)
          }}
        />
      </div>
      {wrong ? (
        <p className="help wrong" role="alert">
          {wrong}
        </p>
      ) : (
        <p className="help">
          {labels.help} {labels.limits(briefLimits.files, formatBytes(everyone[market]), formatBytes(worker[market]))}
        </p>
      )}
      {!isKept && files.length > 0 && <Note>{labels.notKept}</Note>}
    </fieldset>
  )
}
