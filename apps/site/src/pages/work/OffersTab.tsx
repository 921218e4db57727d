import { sanitizeText } from '@svc/protocol'
import type { TalkNegotiation } from '@svc/work'
import { Users } from 'lucide-react'
import { AddressLink } from '../../parts/AddressLink.tsx'
import { setQuery, useLocation } from '../../router.tsx'
import { SignInToTalk } from '../../talk/SignInToTalk.tsx'
import { useOffers } from '../../talk/useTalk.ts'
import { offersText as labels } from '../../text/offers.ts'
import { directoryTitle } from '../../text/record.ts'
import { talkText } from '../../text/talk.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Note } from '../../ui/Note.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { useMarket } from '../../useMarket.ts'
import { describeWorkError } from '../../work/describeWorkError.ts'
import { OfferView } from './OfferView.tsx'
import { ProposeForm } from './ProposeForm.tsx'
import '../../style/talk.css'

/** Private tasks that are being agreed on. The open one is in the URL. */
export function OffersTab() {
  const market = useMarket()
  const talk = useOffers(market)
  const { searchParams } = useLocation()
  const { store, needsSignIn, offers, error, wallet, keys, waiting } = talk
  if (store === null) return <Empty>{talkText.noStore}</Empty>
  if (!store || !wallet || needsSignIn === undefined) return <Skeleton lines={4} />
  if (needsSignIn) return <SignInToTalk />
  if (!offers) return error ? <Note tone="loss">{describeWorkError(error).message}</Note> : <Skeleton lines={4} />
  const opened = offers.find(({ state }) => state.negotiationId === searchParams.get('offer'))
  if (opened) return <OfferView key={opened.state.head} offer={opened} talk={talk} you={wallet} />
  return (
    <div className="stack loose">
      <p className="soft">{labels.description}</p>
      {waiting.length > 0 && <Note>{talkText.waiting}</Note>}
      {offers.length === 0 ? (
        <Empty icon={Users} action={<ButtonLink href="/agents">{directoryTitle}</ButtonLink>}>
          {labels.empty}
        </Empty>
      ) : (
        <ul className="card rows">
          {offers.map((offer) => (
            <OfferRow key={offer.state.negotiationId} offer={offer} you={wallet} />
          ))}
        </ul>
      )}
      <ProposeForm talk={talk} store={store} keys={keys ?? null} wallet={wallet} />
    </div>
  )
}

function OfferRow({ offer: { state, turn }, you }: { offer: TalkNegotiation; you: string }) {
  const { terms, parties, phase, negotiationId } = state
  const me = parties.poster.toLowerCase() === you.toLowerCase() ? 'poster' : 'worker'
  const other = me === 'poster' ? parties.worker : parties.poster
  return (
    <li className="row between wrapping">
      <div className="stack tight">
        <h3 dir="auto">{sanitizeText(terms.title)}</h3>
        <p className="row wrapping small soft">
          <span className={turn === me ? 'pill turn' : 'pill'}>
            {turn === null ? labels.phases[phase] : turn === me ? labels.turn.you : labels.turn.them}
          </span>
          <AddressLink of={other} market={terms.market} size={18} />
        </p>
      </div>
      <Button size="small" onClick={() => setQuery({ offer: negotiationId })}>
        {labels.open}
      </Button>
    </li>
  )
}
