import type { TaskDetailJson } from '@svc/client'
import { parseTaskId } from '@svc/protocol'
import type { BundleKind, BundleSubject } from '@svc/protocol/work'
import type { StorageReceipt } from '@svc/work'
import { useEffect, useRef, useState } from 'react'
import { type Address, getAddress, isAddressEqual } from 'viem'
import { ActionForm, type ActionFormProps } from '../../actions/ActionForm.tsx'
import { chainId, contracts } from '../../deployments.ts'
import { workWriteText as labels } from '../../text/workWrite.ts'
import { Button } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { describeWorkError, type WorkProblem } from '../describeWorkError.ts'
import { findPublished } from '../findPublished.ts'
import { listReferences } from '../listReferences.ts'
import { SaveKeyNotice } from '../SaveKeyNotice.tsx'
import { type StoreInfo, useStore } from '../useStore.ts'
import { useWorkKeys } from '../useWorkKeys.ts'
import { findDraftProblem } from './draftFiles.ts'
import { formatBytes } from './formatBytes.ts'
import { LastDelivery } from './LastDelivery.tsx'
import { type SendStage, type SentWork, sealWithoutStore, sendDraft, type WorkTarget } from './sendDraft.ts'
import { useDraftState } from './useDraftState.ts'
import { WorkEditor } from './WorkEditor.tsx'
import { loadSealed, nameDraft, type WorkDraft } from './workDraft.ts'

/** What the hash of an action stands for. */
const workActions: Readonly<Record<string, { kind: BundleKind; field: string }>> = {
  'submit-proof': { kind: 'delivery', field: 'proofHash' },
  'request-revision': { kind: 'revision', field: 'reasonHash' },
  'open-dispute': { kind: 'evidence', field: 'evidenceHash' },
  'submit-evidence': { kind: 'evidence', field: 'evidenceHash' },
  'resolve-dispute': { kind: 'ruling', field: 'reasonHash' },
  'decide-dispute': { kind: 'ruling', field: 'reasonHash' },
}

interface WorkActionFormProps extends ActionFormProps {
  task: TaskDetailJson
}

/** The form of an action of a task. Where it takes a hash, people write text and add files, which go to the store of the market. */
export function WorkActionForm({ task, ...form }: WorkActionFormProps) {
  const store = useStore(task.market)
  const { wallet, signIn } = useWorkKeys()
  const [isPlain, setPlain] = useState(false)
  const [isDone, setDone] = useState(false)
  const action = workActions[form.name]
  const signsIn = form.name === 'claim-task' ? task.store !== null : form.name === 'propose-arbitrator' && store
  if (signsIn) {
    return (
      <>
        <ActionForm {...form} beforeSign={() => signIn().then(() => {}, rethrowInWords)} onDone={() => setDone(true)} />
        {isDone && <SaveKeyNotice />}
      </>
    )
  }
  if (!action || !wallet) return <ActionForm {...form} />
  if (store === undefined) return <Skeleton lines={4} />
  if (store === null || (task.store && !isAddressEqual(getAddress(task.store), store.address))) {
    return (
      <>
        <Note>{store === null ? labels.noStore : labels.otherStore(task.store ?? '')}</Note>
        <ActionForm {...form} />
      </>
    )
  }
  return (
    <>
      {isPlain ? (
        <ActionForm {...form} />
      ) : (
        <EditedForm {...form} {...action} task={task} store={store} author={getAddress(wallet)} />
      )}
      <p className="only-hash">
        <Button look="quiet" size="small" onClick={() => setPlain(!isPlain)}>
          {isPlain ? labels.writeHere : labels.onlyHash}
        </Button>
      </p>
    </>
  )
}

function rethrowInWords(error: unknown): never {
  const { message, hint } = describeWorkError(error)
  throw new Error([message, hint].filter(Boolean).join(' '))
}

interface EditedFormProps extends WorkActionFormProps {
  kind: BundleKind
  field: string
  store: StoreInfo
  author: Address
}

function EditedForm({ task, kind, field, store, author, onDone, ...form }: EditedFormProps) {
  const [subject] = useState(() => describeSubject(task, kind, author))
  const target = {
    subject,
    store,
    ...findPeople(task, kind, author),
    needsReceipt: needsReceipt(task, kind),
    published: findPublished(task),
  }
  const { draft, saveState, changeText, changeFiles, clear } = useDraftState(nameDraft(subject))
  useCleared(task, kind, nameDraft(subject), clear)
  const [draftProblem, setDraftProblem] = useState<string | null>(null)
  const { send, skip, ...sending } = useSending(target)
  if (!draft) return <Skeleton lines={6} />
  const change = <Value,>(apply: (value: Value) => void) => {
    return (value: Value) => {
      setDraftProblem(null)
      sending.reset()
      apply(value)
    }
  }
  const isEmpty = draft.text === '' && draft.files.length === 0
  const last = kind === 'delivery' && isEmpty ? findLastDelivery(task, subject) : undefined
  const makes = kind === 'delivery' ? [field, 'receipt'] : [field]
  const toInput = (sent: SentWork | null) => sent && formatInput(field, sent)
  const finish = async () => {
    const problem = findDraftProblem(draft, task.market, formatBytes)
    setDraftProblem(problem)
    return problem === null ? toInput(await (sending.isSkipping ? skip(draft) : send(draft))) : null
  }
  const content = (
    <>
      {last && (
        <LastDelivery
          reference={last}
          onLoad={({ text, files }) => {
            change(changeText)(text)
            change(changeFiles)(files)
          }}
        />
      )}
      <WorkEditor
        kind={kind}
        market={task.market}
        draft={draft}
        onText={change(changeText)}
        onFiles={change(changeFiles)}
        readers={listReaders(kind)}
        problem={draftProblem}
        saveState={saveState}
        isBusy={sending.stage !== null}
      />
      <SendStatus
        {...sending}
        canSkip={kind === 'delivery' && task.store !== null && !form.required?.includes('receipt')}
      />
    </>
  )
  return (
    <ActionForm
      {...form}
      editor={{ field, makes, content, finish }}
      onDone={(transaction) => {
        // What the store does not hold yet is delivered again with its receipt.
        if (!sending.isSkipping) void clear()
        onDone?.(transaction)
      }}
    />
  )
}

/** How far it is, what went wrong, and what to do then. */
function SendStatus({
  stage,
  problem,
  isSkipping,
  cancel,
  chooseSkip,
  canSkip,
}: Omit<ReturnType<typeof useSending>, 'send' | 'skip' | 'reset'> & { canSkip: boolean }) {
  if (stage) {
    const message =
      stage.stage === 'upload'
        ? labels.stages.upload(formatBytes(stage.sentBytes), formatBytes(stage.totalBytes))
        : labels.stages[stage.stage]
    return (
      <div className="upload" role="status">
        <p className="small">{message}</p>
        <progress
          {...(stage.stage === 'upload' && { value: stage.sentBytes, max: stage.totalBytes })}
          aria-label={message}
        />
        <p>
          <Button size="small" onClick={cancel}>
            {labels.cancel}
          </Button>
        </p>
      </div>
    )
  }
  if (!problem) return null
  return (
    <>
      <Note tone={problem.kind === 'declined' ? 'plain' : 'loss'}>
        <p>{problem.message}</p>
        {problem.hint && <p>{problem.hint}</p>}
        {problem.kind !== 'declined' && <p>{labels.tryAgain}</p>}
      </Note>
      {canSkip && problem.kind !== 'declined' && (
        <label className="option">
          <input type="checkbox" checked={isSkipping} onChange={({ target }) => chooseSkip(target.checked)} />
          <span className="stack tight">
            <strong>{labels.withoutReceipt}</strong>
            <span className="small soft">{labels.withoutReceiptNote}</span>
          </span>
        </label>
      )}
    </>
  )
}

/** Sends a draft, and knows how far it is. */
function useSending(target: WorkTarget) {
  const { signIn } = useWorkKeys()
  const [stage, changeStage] = useState<SendStage | null>(null)
  const [problem, setProblem] = useState<WorkProblem | null>(null)
  const [isSkipping, setSkipping] = useState(false)
  const cancelling = useRef<AbortController>(null)
  // Closing the dialog ends an upload; what was sent is not sent again.
  useEffect(() => () => cancelling.current?.abort(), [])
  const run =
    (work: typeof sendDraft) =>
    async (draft: WorkDraft): Promise<SentWork | null> => {
      const controller = new AbortController()
      cancelling.current = controller
      setProblem(null)
      try {
        return await work(target, draft, { signIn, signal: controller.signal, onStage: changeStage })
      } catch (error) {
        setProblem(
          controller.signal.aborted
            ? { kind: 'declined', message: labels.cancelled, hint: null }
            : describeWorkError(error),
        )
        return null
      } finally {
        changeStage(null)
      }
    }
  return {
    stage,
    problem,
    isSkipping,
    chooseSkip: setSkipping,
    cancel: () => cancelling.current?.abort(),
    reset: () => setProblem(null),
    send: run(sendDraft),
    skip: run(sealWithoutStore),
  }
}

/**
 * Removes a draft whose bundle is on chain already: it was signed, and the page closed before it was confirmed. A delivery that
 * lacks a receipt is still needed.
 */
function useCleared(task: TaskDetailJson, kind: BundleKind, name: string, clear: () => Promise<void>): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each draft
  useEffect(() => {
    const check = async () => {
      if (needsReceipt(task, kind) && !task.receipted) return
      const sealed = await loadSealed(name)
      if (sealed?.isStored && listReferences(task).some(({ hash }) => hash === sealed.hash)) await clear()
    }
    check().catch(() => {})
  }, [name])
}

const needsReceipt = (task: TaskDetailJson, kind: BundleKind) => kind === 'delivery' && task.store !== null

function describeSubject(task: TaskDetailJson, kind: BundleKind, author: Address): BundleSubject {
  const { currentMilestone: milestone, revisions: revision } = task
  const taskId = parseTaskId(task.id)
  return { kind, chainId, registry: contracts[task.market].taskRegistry, taskId, milestone, revision, author }
}

/** Finds what this wallet delivered last for the milestone. */
const findLastDelivery = (task: TaskDetailJson, { milestone, author }: BundleSubject) =>
  listReferences(task).findLast(
    (each) => each.kind === 'delivery' && each.milestone === milestone && isAddressEqual(each.author, author),
  )

/** Who must be able to read it, and who judges. */
function findPeople({ poster, worker, dispute }: TaskDetailJson, kind: BundleKind, author: Address) {
  const people = kind === 'delivery' ? [poster] : kind === 'revision' ? [worker] : [poster, worker]
  const readers = people.flatMap((each) => (each ? [getAddress(each)] : [])).filter((each) => each !== author)
  const judges = kind === 'evidence' && dispute?.judge ? [getAddress(dispute.judge)] : []
  return { readers, judges, hasCourt: kind === 'evidence' }
}

function listReaders(kind: BundleKind): string[] {
  const { you, poster, worker, judge } = labels
  if (kind === 'delivery') return [you, poster, judge]
  if (kind === 'revision') return [you, worker, judge]
  return kind === 'ruling' ? [you, poster, worker] : [poster, worker, judge]
}

/** The inputs of the action, as JSON. */
const formatInput = (field: string, { hash, receipt }: SentWork) => ({
  [field]: hash,
  ...(receipt && { receipt: formatReceipt(receipt) }),
})

const formatReceipt = ({ size, until, signature }: StorageReceipt) => ({
  size: Number(size),
  until: Number(until),
  signature,
})
