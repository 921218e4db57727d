import type { BundleKind, Manifest } from '@svc/protocol/work'
import { CloudOff, FileX2, Lock, LockKeyhole, type LucideIcon, ShieldAlert, ShieldCheck, Unplug } from 'lucide-react'
import { AddressLink } from '../../parts/AddressLink.tsx'
import { bundleText as labels } from '../../text/bundle.ts'
import { Address, CopyButton } from '../../ui/Address.tsx'
import { Button } from '../../ui/Button.tsx'
import { Markdown, maxMarkdownLength } from '../../ui/Markdown.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Time } from '../../ui/Time.tsx'
import { useMarket } from '../../useMarket.ts'
import type { WorkProblem } from '../describeWorkError.ts'
import { FileList } from './FileList.tsx'
import { saveFile } from './saveFile.ts'
import '../../style/bundle.css'

/** What the chain says about a bundle. */
interface BundleFacts {
  kind: BundleKind
  author: string
  /** Unix seconds. */
  at: number
  hash: string
  transactionHash: string
}

/** A bundle that was opened and checked. */
export interface OpenContent {
  manifest: Manifest
  /** The wallets it was sealed for; null if anyone may read it. */
  readers: readonly string[] | null
  /** Fetches and checks a file. */
  readFile: (name: string) => Promise<Uint8Array>
}

/** How far the reader got. Only `open` has anything of the author's. */
export type BundleContent =
  | ({ status: 'open' } & OpenContent)
  | { status: 'loading' }
  | {
      status: 'closed'
      problem: WorkProblem
      /** Who may read it, if that is the problem. */
      readers?: readonly string[]
      /** What the reader can do about it. */
      way?: { label: string; go: () => void; isBusy: boolean } | undefined
    }

interface BundleViewProps {
  facts: BundleFacts
  content: BundleContent
  you: string | undefined
}

/** What a hash on chain stands for: who wrote it and when, the text, the links and the files, and how it was checked. */
export function BundleView({ facts, content, you }: BundleViewProps) {
  return (
    <div className="bundle stack">
      <p className="row small soft wrapping">
        <AddressLink of={facts.author} market={useMarket()} you={you} /> {labels.by[facts.kind]} <Time at={facts.at} />
      </p>
      {content.status === 'open' ? (
        <>
          <BundleBody {...content} />
          <Checked facts={facts} readers={content.readers} you={you} />
        </>
      ) : (
        <>
          {content.status === 'loading' ? <Skeleton lines={3} /> : <Closed content={content} you={you} />}
          <HashLine label={labels.unchecked} hash={facts.hash} />
        </>
      )}
    </div>
  )
}

/** The same without who, when and how it was checked. */
export function BundleInside({ content, you }: Pick<BundleViewProps, 'content' | 'you'>) {
  return (
    <div className="bundle stack">
      {content.status === 'open' && <BundleBody {...content} />}
      {content.status === 'loading' && <Skeleton lines={1} />}
      {content.status === 'closed' && <Closed content={content} you={you} />}
    </div>
  )
}

function BundleBody({ manifest: { text, links, files }, readFile }: OpenContent) {
  return (
    <>
      {text ? <Markdown of={text} /> : <p className="soft">{labels.noText}</p>}
      {text.length > maxMarkdownLength && (
        <p className="row small soft wrapping">
          {labels.textCut}
          <Button size="small" onClick={() => saveFile('text.md', new TextEncoder().encode(text))}>
            {labels.saveText}
          </Button>
        </p>
      )}
      {links.length > 0 && <Links links={links} />}
      {files.length > 0 && <FileList files={files} readFile={readFile} />}
    </>
  )
}

/** A link shows its whole address, so that nothing hides where it leads. */
function Links({ links }: { links: readonly string[] }) {
  return (
    <div className="stack tight">
      <h4 className="bundle-heading">{labels.links}</h4>
      <ul className="plain-list stack tight small">
        {links.map((link) => (
          <li key={link}>
            <a className="bundle-link" href={link} rel="noopener noreferrer nofollow ugc" target="_blank">
              {link} ↗
            </a>
          </li>
        ))}
      </ul>
      <p className="tiny faint">{labels.linksHelp}</p>
    </div>
  )
}

/** That it was checked, and with one click how. */
function Checked({
  facts: { hash, transactionHash },
  readers,
  you,
}: {
  facts: BundleFacts
  readers: OpenContent['readers']
  you: string | undefined
}) {
  const { title, how, matches, ...checked } = labels.checked
  return (
    <details className="bundle-check small">
      <summary>
        <ShieldCheck size={17} aria-hidden="true" /> {title}
      </summary>
      <div className="stack tight">
        <p className="soft">
          {how} {matches}
        </p>
        <HashLine label={checked.hash} hash={hash} />
        <HashLine label={checked.transaction} hash={transactionHash} copyLabel={checked.copyTransaction} />
        {readers === null ? (
          <p className="soft">{checked.isPublic}</p>
        ) : (
          <Readers label={checked.sealed} readers={readers} you={you} />
        )}
      </div>
    </details>
  )
}

function HashLine({
  label,
  hash,
  copyLabel = labels.checked.copyHash,
}: {
  label: string
  hash: string
  copyLabel?: string
}) {
  return (
    <p className="bundle-hash tiny soft">
      <span>{label}</span>
      <span className="code">{hash}</span>
      <CopyButton value={hash} label={copyLabel} />
    </p>
  )
}

function Readers({ label, readers, you }: { label: string; readers: readonly string[]; you: string | undefined }) {
  return (
    <p className="row small soft wrapping">
      {label}
      {[...new Set(readers)].map((reader) => (
        <Address key={reader} of={reader} you={you} size={18} />
      ))}
    </p>
  )
}

const icons: Readonly<Record<WorkProblem['kind'], LucideIcon>> = {
  signIn: LockKeyhole,
  declined: LockKeyhole,
  locked: Lock,
  noKey: LockKeyhole,
  missing: FileX2,
  removed: FileX2,
  noStore: Unplug,
  unreachable: CloudOff,
  full: CloudOff,
  other: CloudOff,
  wrong: ShieldAlert,
}

/** Why nothing is shown, and the way out. What does not match the chain is announced. */
function Closed({
  content: { problem, readers, way },
  you,
}: {
  content: Extract<BundleContent, { status: 'closed' }>
  you: string | undefined
}) {
  const Icon = icons[problem.kind]
  const isWrong = problem.kind === 'wrong'
  return (
    <div className={isWrong ? 'bundle-state wrong' : 'bundle-state'} role={isWrong ? 'alert' : undefined}>
      <Icon size={20} aria-hidden="true" />
      <div className="stack tight">
        <strong>{problem.message}</strong>
        {problem.hint && <p className="small">{problem.hint}</p>}
        {readers && readers.length > 0 && <Readers label={labels.readers} readers={readers} you={you} />}
        {way && (
          <Button look={problem.kind === 'signIn' ? 'primary' : 'plain'} busy={way.isBusy} onClick={way.go}>
            {way.label}
          </Button>
        )}
      </div>
    </div>
  )
}
