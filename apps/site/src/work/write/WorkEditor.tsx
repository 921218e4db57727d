import type { BundleKind } from '@svc/protocol/work'
import { workLimits } from '@svc/protocol/work'
import { File as FileIcon, Paperclip, X } from 'lucide-react'
import { type DragEvent, useId, useRef, useState } from 'react'
import { workWriteText as labels } from '../../text/workWrite.ts'
import { Button } from '../../ui/Button.tsx'
import { Markdown } from '../../ui/Markdown.tsx'
import '../../style/workWrite.css'
import { addFiles, getMaxDraftSize, sumSizes } from './draftFiles.ts'
import { formatBytes } from './formatBytes.ts'
import type { DraftSaveState } from './useDraftState.ts'
import type { DraftFile, WorkDraft } from './workDraft.ts'

interface WorkEditorProps {
  kind: BundleKind
  market: 'standard' | 'micro'
  draft: WorkDraft
  onText: (text: string) => void
  onFiles: (files: readonly DraftFile[]) => void
  /** Who can open it, in words. */
  readers: readonly string[]
  /** What is wrong with the draft. */
  problem: string | null
  saveState: DraftSaveState
  /** Whether it is being sent, and cannot be changed. */
  isBusy: boolean
}

/** Text in Markdown with a preview, and files: dropped, or chosen with a button. */
export function WorkEditor({
  kind,
  market,
  draft,
  onText,
  onFiles,
  readers,
  problem,
  saveState,
  isBusy,
}: WorkEditorProps) {
  const id = useId()
  const [isPreview, setPreview] = useState(false)
  return (
    <div className="form-field work-editor">
      <div className="row between wrapping">
        <label htmlFor={id} className="label">
          {labels.labels[kind]}
        </label>
        <fieldset className="segments small" disabled={isBusy}>
          <legend className="visually-hidden">{labels.modes}</legend>
          {[false, true].map((preview) => (
            <label key={String(preview)}>
              <input
                type="radio"
                name={`${id}-mode`}
                checked={isPreview === preview}
                onChange={() => setPreview(preview)}
              />
              {preview ? labels.preview : labels.write}
            </label>
          ))}
        </fieldset>
      </div>
      {isPreview ? (
        <div className="preview-box" id={id}>
          {draft.text.trim() === '' ? <p className="soft">{labels.emptyPreview}</p> : <Markdown of={draft.text} />}
        </div>
      ) : (
        <textarea
          id={id}
          className="input"
          name="workText"
          rows={6}
          value={draft.text}
          placeholder={labels.placeholders[kind]}
          disabled={isBusy}
          aria-describedby={`${id}-help`}
          aria-invalid={problem !== null}
          onChange={({ target }) => onText(target.value)}
        />
      )}
      <DraftFiles files={draft.files} onFiles={onFiles} market={market} isBusy={isBusy} />
      {problem && (
        <p className="help wrong" role="alert">
          {problem}
        </p>
      )}
      <p className="help" id={`${id}-help`}>
        {labels.who(readers)} {labels.saveState[saveState]}
      </p>
    </div>
  )
}

interface DraftFilesProps extends Pick<WorkEditorProps, 'market' | 'onFiles' | 'isBusy'> {
  files: readonly DraftFile[]
}

/** The files of a draft: dropped, or chosen with a button. */
export function DraftFiles({ files, onFiles, market, isBusy }: DraftFilesProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const add = (added: readonly File[]) => {
    try {
      onFiles(addFiles(files, added))
      setProblem(null)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (isBusy) return
    const { items, files: dropped } = event.dataTransfer
    if ([...items].some((item) => item.webkitGetAsEntry()?.isDirectory)) return setProblem(labels.problems.folder)
    add([...dropped])
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is the second way; the button is for everybody
    <div
      className={isOver ? 'drop-zone over' : 'drop-zone'}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      {files.length > 0 && (
        <ul className="plain-list draft-files">
          {files.map((file) => (
            <li key={file.name} className="row between">
              <span className="row file-name">
                <FileIcon size={16} aria-hidden="true" />
                <span>{file.name}</span>
              </span>
              <span className="row">
                <span className="small soft">{formatBytes(file.blob.size)}</span>
                <button
                  type="button"
                  className="copy"
                  aria-label={labels.remove(file.name)}
                  title={labels.remove(file.name)}
                  disabled={isBusy}
                  onClick={() => onFiles(files.filter((each) => each !== file))}
                >
                  <X size={16} aria-hidden="true" />
                </button>
              </span>
            </li>
          ))}
        </ul>
      )}
      <div className="row wrapping small soft">
        <span className="only-wide">{labels.drop}</span>
        <Button size="small" disabled={isBusy} onClick={() => input.current?.click()}>
          <Paperclip size={15} aria-hidden="true" /> {labels.choose}
        </Button>
        <span>
          {files.length > 0
            ? labels.files(files.length, formatBytes(sumSizes(files)))
            : labels.limits(workLimits.files, formatBytes(getMaxDraftSize(market)))}
        </span>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          onChange={({ target }) => {
            add([...(target.files ?? [])])
            // The same file can be chosen again after it was removed.
            target.value = ''
          }}
        />
      </div>
      {problem && (
        <p className="help wrong" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}
