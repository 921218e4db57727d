import type { TaskDetailJson } from '@svc/client'
import { sanitizeText } from '@svc/protocol'
import { type BriefFile, findAudience } from '@svc/protocol/internal/work'
import { LockKeyhole } from 'lucide-react'
import { SendBriefFiles } from '../../talk/SendBriefFiles.tsx'
import { useSending } from '../../talk/useSending.ts'
import { briefFilesText as labels } from '../../text/briefFiles.ts'
import { text as common } from '../../text/common.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import { getFirstName, useName } from '../../usePerson.ts'
import { useWallet } from '../../wallet/useWallet.ts'
import { describeWorkError } from '../../work/describeWorkError.ts'
import { FileRows } from '../../work/show/FileList.tsx'
import { useBriefFiles } from '../../work/useBriefFiles.ts'
import { formatBytes } from '../../work/write/formatBytes.ts'
import { findViewer, type Viewer } from './viewer.ts'
import '../../style/bundle.css'

interface BriefFilesProps {
  task: TaskDetailJson
  files: readonly BriefFile[]
}

/** The files of the brief. Everyone opens the public ones; the others open for the worker, the poster and the judge. */
export function BriefFiles({ task, files }: BriefFilesProps) {
  const viewer = findViewer(task, useWallet().address)
  const query = useBriefFiles(task, files, viewer !== 'visitor')
  const { found, look, refetch } = query
  const everyone = files.filter((file) => findAudience(file) === 'everyone')
  const sealed = files.filter((file) => findAudience(file) === 'worker')
  const missing = found?.flatMap(({ file, bundle }) => (bundle ? [] : [file])) ?? []
  const readFile = async (name: string) => {
    const bundle = (await look()).find(({ file }) => file.name === name)?.bundle
    if (!bundle) throw new Error(labels.notStored)
    return bundle.readFile(name)
  }
  const isOpen = found !== undefined && !missing.some((file) => findAudience(file) === 'worker')
  return (
    <section className="stack" aria-label={labels.title}>
      {everyone.length > 0 && (
        <>
          <h2 className="section-title">{labels.title}</h2>
          <FileRows files={everyone} readFile={readFile} />
          <p className="small faint">{labels.forEveryone}</p>
        </>
      )}
      {sealed.length > 0 && (
        <>
          <h2 className="section-title">{labels.forWorker}</h2>
          {isOpen ? <FileRows files={sealed} readFile={readFile} /> : <ClosedRows files={sealed} />}
          <SealedState task={task} viewer={viewer} query={query} isOpen={isOpen} />
        </>
      )}
      {viewer === 'poster' && missing.length > 0 && query.store && task.phase !== 'SETTLED' && (
        <SendBriefFiles task={task} store={query.store} files={missing} onSent={refetch} />
      )}
    </section>
  )
}

const ClosedRows = ({ files }: Pick<BriefFilesProps, 'files'>) => (
  <ul className="bundle-files">
    {files.map(({ name, size, type }) => (
      <li key={name} className="bundle-file">
        <div className="bundle-file-row">
          <LockKeyhole size={18} aria-hidden="true" />
          <span className="bundle-file-name">
            <bdi>{sanitizeText(name, { strict: true })}</bdi>
            <span className="tiny faint">
              {formatBytes(size)} · {type}
            </span>
          </span>
        </div>
      </li>
    ))}
  </ul>
)

interface SealedStateProps {
  task: TaskDetailJson
  viewer: Viewer
  query: ReturnType<typeof useBriefFiles>
  isOpen: boolean
}

/** Who can open the files for the worker now, and what to do about it. */
function SealedState({ task, viewer, query: { found, error, isSignedIn, signIn, refetch }, isOpen }: SealedStateProps) {
  const name = useName(task.poster)
  const { isBusy, problem, run } = useSending()
  if (viewer === 'visitor') return <p className="small faint">{labels.locked}</p>
  if (!isSignedIn) {
    return (
      <div className="stack tight">
        <Note tone="loss">{problem}</Note>
        <div>
          <Button busy={isBusy} onClick={() => void run(signIn)}>
            {labels.signIn}
          </Button>
        </div>
      </div>
    )
  }
  if (error) return <Note tone="loss">{describeWorkError(error).message}</Note>
  if (!found) return <p className="small faint">{labels.looking}</p>
  if (viewer === 'poster') {
    if (!isOpen || task.phase === 'SETTLED') return null
    return <p className="small soft">{task.worker ? labels.state.posterShares : labels.state.posterOpen}</p>
  }
  if (isOpen) return null
  if (viewer === 'judge') return <Note>{labels.state.judge}</Note>
  return (
    <Note>
      <p>{labels.state.worker(name ? getFirstName(name) : labels.poster)}</p>
      <p className="row">
        <ButtonLink href="?tab=talk">{labels.state.workerAction}</ButtonLink>
        <Button look="quiet" onClick={refetch}>
          {common.tryAgain}
        </Button>
      </p>
    </Note>
  )
}
