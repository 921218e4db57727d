import type { TaskDetailJson } from '@svc/client'
import type { ExpectedBundle } from '@svc/protocol/work'
import { useState } from 'react'
import { bundleText as labels } from '../../text/bundle.ts'
import { text as common } from '../../text/common.ts'
import { useWallet } from '../../wallet/useWallet.ts'
import { describeWorkError } from '../describeWorkError.ts'
import type { AnnouncedBundle } from '../engine.ts'
import { type BundleQuery, useBundle } from '../useBundle.ts'
import { type BundleContent, BundleInside, BundleView, type OpenContent } from './BundleView.tsx'
import type { PlacedBundle } from './placeBundles.ts'
import { VersionChanges } from './VersionChanges.tsx'

interface TaskBundleProps {
  task: Pick<TaskDetailJson, 'poster' | 'worker' | 'dispute'>
  bundle: PlacedBundle
  /** The version before, with its number. What changed since then is shown. */
  previous?: { bundle: PlacedBundle; version: number } | undefined
}

/** A bundle of a task: fetched, checked, and shown if the visitor may read it. */
export function TaskBundle({ task, bundle, previous }: TaskBundleProps) {
  const { address } = useWallet()
  const { reference, at, transactionHash } = bundle
  const content = useBundleContent(task, reference)
  const { kind, author, hash } = reference
  return (
    <>
      <BundleView facts={{ kind, author, at, hash, transactionHash }} content={content} you={address} />
      {previous && content.status === 'open' && <ChangesSince {...previous} after={content} />}
    </>
  )
}

/** What changed since the version before, if the visitor can read that one too. */
function ChangesSince({ bundle, version, after }: { bundle: PlacedBundle; version: number; after: OpenContent }) {
  const before = describeOpened(useBundle(bundle.reference))
  return before && <VersionChanges before={before} after={after} version={version} />
}

function describeOpened({ bundle }: BundleQuery): OpenContent | null {
  if (!bundle) return null
  const { manifest, descriptor, readFile } = bundle
  const readers = descriptor.recipient === null ? null : descriptor.grants.map(({ reader }) => reader)
  return { manifest, readers, readFile }
}

/** What a message of a conversation brought: checked against the hash in it. */
export function SentBundle({ task, reference }: { task: TaskBundleProps['task']; reference: AnnouncedBundle }) {
  const { address } = useWallet()
  return <BundleInside content={useBundleContent(task, reference)} you={address} />
}

function useBundleContent(task: TaskBundleProps['task'], reference: ExpectedBundle | AnnouncedBundle): BundleContent {
  const { address } = useWallet()
  const found = useBundle(reference)
  const [signing, setSigning] = useState<{ isBusy: boolean; error: unknown }>({ isBusy: false, error: null })
  const opened = describeOpened(found)
  if (opened) return { status: 'open', ...opened }
  const { problem, retry, signIn, isFetching } = found
  if (!problem) return { status: 'loading' }
  const signInNow = async () => {
    setSigning({ isBusy: true, error: null })
    const error = await signIn().then(
      () => null,
      (reason: unknown) => reason,
    )
    setSigning({ isBusy: false, error })
  }
  const readers = [task.poster, task.worker, task.dispute?.judge].filter((each) => typeof each === 'string')
  switch (problem.kind) {
    case 'signIn': {
      if (!address) return { status: 'closed', problem: { ...problem, hint: labels.connect }, readers }
      const way = { label: labels.signIn, go: signInNow, isBusy: signing.isBusy || isFetching }
      return { status: 'closed', problem: signing.error ? describeWorkError(signing.error) : problem, way }
    }
    case 'locked':
      return { status: 'closed', problem, readers }
    case 'noStore':
    case 'removed':
      return { status: 'closed', problem }
    default:
      return { status: 'closed', problem, way: { label: common.tryAgain, go: retry, isBusy: isFetching } }
  }
}
