import type { DeviceKeys } from '@svc/work'
import { type FormEvent, useState } from 'react'
import { bytesToBigInt, getAddress, isAddress } from 'viem'
import { getSigningContext } from '../../deployments.ts'
import { useDraft } from '../../parts/useDraft.ts'
import { setQuery, useLocation } from '../../router.tsx'
import { useSending } from '../../talk/useSending.ts'
import type { TaskTalk } from '../../talk/useTalk.ts'
import { offersText as labels } from '../../text/offers.ts'
import { Button } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import { TextArea, TextField } from '../../ui/TextField.tsx'
import { useNow } from '../../ui/Time.tsx'
import { useMarket } from '../../useMarket.ts'
import { usePrice } from '../../usePrice.ts'
import type { StoreInfo } from '../../work/useStore.ts'
import { buildDraftTerms } from '../post/buildTerms.ts'
import { emptyDraft, findProblems, type PostDraft } from '../post/draft.ts'
import { MilestonesStep } from '../post/MilestonesStep.tsx'
import '../../style/post.css'

interface ProposeFormProps {
  talk: TaskTalk
  store: StoreInfo
  keys: DeviceKeys | null
  wallet: string
}

/** Proposes a private task to a wallet. */
export function ProposeForm({ talk, store, keys, wallet }: ProposeFormProps) {
  const market = useMarket()
  const price = usePrice()
  const now = useNow()
  const given = useLocation().searchParams.get('to') ?? ''
  const [to, setTo] = useState(given)
  const [draft, setDraft, clear] = useDraft<PostDraft>(`offer-${market}`, emptyDraft)
  const [isChecked, setChecked] = useState(false)
  const { isBusy, problem, run } = useSending()
  const change = (changes: Partial<PostDraft>) => setDraft({ ...draft, ...changes })
  const isWallet = isAddress(to.trim(), { strict: false }) && to.trim().toLowerCase() !== wallet.toLowerCase()
  const problems = {
    ...findProblems('describe', draft, market, price),
    ...findProblems('milestones', draft, market, price),
  }
  const send = async (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (!isWallet || Object.keys(problems).length > 0) return
    const isSent = await run(() =>
      talk.send(async ({ propose }) => {
        const context = {
          signing: getSigningContext,
          poster: getAddress(wallet),
          worker: getAddress(to.trim()),
          now,
          nonce: bytesToBigInt(crypto.getRandomValues(new Uint8Array(32))),
        }
        const statement = keys?.statement && { message: keys.statement.message, signature: keys.statement.signature }
        const through = statement ? { address: store.address, statement } : null
        const { state } = await propose(buildDraftTerms(draft, market, price, context, through))
        setQuery({ offer: state.negotiationId, to: null })
      }),
    )
    if (isSent) clear()
  }
  return (
    <details className="card pad" open={given !== ''}>
      <summary>{labels.propose}</summary>
      <form className="stack loose" noValidate onSubmit={(event) => void send(event)}>
        <TextField
          label={labels.to}
          help={labels.toHelp}
          error={isChecked && !isWallet ? labels.wrongWallet : undefined}
          value={to}
          onChange={setTo}
        />
        <TextField
          label={labels.title}
          error={isChecked ? problems.title : undefined}
          maxLength={120}
          value={draft.title}
          onChange={(value) => change({ title: value })}
        />
        <TextArea
          label={labels.criteria}
          help={labels.criteriaHelp}
          error={isChecked ? problems.criteria : undefined}
          rows={6}
          value={draft.criteria}
          onChange={(value) => change({ criteria: value })}
        />
        <MilestonesStep draft={draft} change={change} problems={isChecked ? problems : {}} />
        <Note tone="loss">{problem}</Note>
        <div>
          <Button type="submit" look="primary" busy={isBusy}>
            {labels.send}
          </Button>
        </div>
      </form>
    </details>
  )
}
