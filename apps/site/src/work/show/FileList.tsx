import { sanitizeText } from '@svc/protocol'
import type { ManifestFile } from '@svc/protocol/work'
import { Download, FileText, Image } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { bundleText as labels } from '../../text/bundle.ts'
import { Button } from '../../ui/Button.tsx'
import { Markdown, maxMarkdownLength } from '../../ui/Markdown.tsx'
import { Note } from '../../ui/Note.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { formatBytes } from '../write/formatBytes.ts'
import { parseTable } from './parseTable.ts'
import { findPreview, type ImageType, type Preview, previewLimits } from './preview.ts'
import { saveFile } from './saveFile.ts'

interface FileListProps {
  files: readonly ShownFile[]
  readFile: (name: string) => Promise<Uint8Array>
}

type ShownFile = Pick<ManifestFile, 'name' | 'type' | 'size'>

/** The files of a bundle. Each can be downloaded, and shown if its bytes are text or a picture. */
export function FileList({ files, readFile }: FileListProps) {
  return (
    <div className="stack tight">
      <h4 className="bundle-heading">{labels.files(files.length)}</h4>
      <FileRows files={files} readFile={readFile} />
    </div>
  )
}

/** The same without a heading. */
export const FileRows = ({ files, readFile }: FileListProps) => (
  <ul className="bundle-files">
    {files.map((file) => (
      <FileRow key={file.name} file={file} readFile={readFile} />
    ))}
  </ul>
)

function FileRow({ file, readFile }: { file: ShownFile; readFile: FileListProps['readFile'] }) {
  const [isShown, setShown] = useState(false)
  const [isSaving, setSaving] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const panel = useId()
  const { name, type, size } = file
  const label = sanitizeText(name, { strict: true })
  const save = async () => {
    setSaving(true)
    try {
      saveFile(name, await readFile(name))
      setProblem(null)
    } catch (error) {
      setProblem(describeFailure(error))
    }
    setSaving(false)
  }
  const Icon = type.startsWith('image/') ? Image : FileText
  const verb = isShown ? labels.hide : labels.show
  return (
    <li className="bundle-file">
      <div className="bundle-file-row">
        <Icon size={18} aria-hidden="true" />
        <span className="bundle-file-name">
          <bdi>{label}</bdi>
          <span className="tiny faint">
            {formatBytes(size)} · {type}
          </span>
        </span>
        {size <= previewLimits.fileBytes && (
          <Button
            size="small"
            aria-expanded={isShown}
            aria-controls={isShown ? panel : undefined}
            aria-label={labels.named(verb, label)}
            onClick={() => setShown(!isShown)}
          >
            {verb}
          </Button>
        )}
        <Button
          size="small"
          busy={isSaving}
          title={labels.download}
          aria-label={labels.named(labels.download, label)}
          onClick={save}
        >
          {!isSaving && <Download size={16} aria-hidden="true" />}
        </Button>
      </div>
      {problem && <Note tone="loss">{problem}</Note>}
      {isShown && (
        <div id={panel}>
          <FilePreview name={name} readFile={readFile} />
        </div>
      )}
    </li>
  )
}

type Shown = { bytes: Uint8Array; preview: Preview } | { problem: string } | null

function FilePreview({ name, readFile }: { name: string; readFile: FileListProps['readFile'] }) {
  const [shown, setShown] = useState<Shown>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a file never changes; its reader is another function each time
  useEffect(() => {
    let isWanted = true
    readFile(name)
      .then((bytes): Shown => ({ bytes, preview: findPreview(name, bytes) }))
      .catch((error: unknown): Shown => ({ problem: describeFailure(error) }))
      .then((result) => isWanted && setShown(result))
    return () => {
      isWanted = false
    }
  }, [name])
  if (!shown) {
    return (
      <div role="status" aria-label={labels.readingFile}>
        <Skeleton lines={3} />
      </div>
    )
  }
  if ('problem' in shown) return <Note tone="loss">{shown.problem}</Note>
  const { preview, bytes } = shown
  switch (preview.kind) {
    case 'none':
      return <p className="small soft bundle-preview-none">{labels.noPreview[preview.reason]}</p>
    case 'image':
      return <Picture name={name} bytes={bytes} {...preview} />
    case 'text':
      return <TextPreview name={name} {...preview} />
  }
}

function TextPreview({ name, text, looks, isCut }: Extract<Preview, { kind: 'text' }> & { name: string }) {
  const isMarkdownCut = looks === 'markdown' && text.length > maxMarkdownLength
  return (
    <div className="stack tight">
      {looks === 'markdown' ? (
        <div className="bundle-preview">
          <Markdown of={text} />
        </div>
      ) : looks === 'table' ? (
        <TablePreview name={name} text={text} />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        <pre className="bundle-preview code" tabIndex={0} dir="auto">
          {text}
        </pre>
      )}
      {(isCut || isMarkdownCut) && <p className="small soft">{labels.fileCut}</p>}
    </div>
  )
}

function TablePreview({ name, text }: { name: string; text: string }) {
  const { rows, isCut } = parseTable(text)
  const [head = [], ...body] = rows
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section className="bundle-preview table-scroll" tabIndex={0} aria-label={sanitizeText(name)}>
        <table className="bundle-table">
          <thead>
            <tr>{renderCells(head, 'th')}</tr>
          </thead>
          <tbody>
            {body.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change
              <tr key={index}>{renderCells(row, 'td')}</tr>
            ))}
          </tbody>
        </table>
      </section>
      {isCut && <p className="small soft">{labels.rowsCut(body.length)}</p>}
    </>
  )
}

const renderCells = (cells: readonly string[], Cell: 'th' | 'td') =>
  cells.map((cell, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the cells never change
    <Cell key={index} dir="auto">
      {cell}
    </Cell>
  ))

/** A picture from its own bytes. The browser draws it by the type that the bytes show, and asks nobody for it. */
function Picture({
  name,
  bytes,
  type,
  width,
  height,
}: {
  name: string
  bytes: Uint8Array
  type: ImageType
  width: number
  height: number
}) {
  const [url, setUrl] = useState<string>()
  const [isBroken, setBroken] = useState(false)
  useEffect(() => {
    const created = URL.createObjectURL(new Blob([Uint8Array.from(bytes)], { type }))
    setUrl(created)
    return () => URL.revokeObjectURL(created)
  }, [bytes, type])
  if (isBroken) return <p className="small soft bundle-preview-none">{labels.noPreview.binary}</p>
  const alt = labels.picture(sanitizeText(name), width, height)
  return (
    url && (
      <img
        className="bundle-picture"
        src={url}
        alt={alt}
        width={width}
        height={height}
        onError={() => setBroken(true)}
      />
    )
  )
}

const describeFailure = (error: unknown): string =>
  error instanceof Error && error.message ? `${labels.fileFailed} ${error.message}` : labels.fileFailed
