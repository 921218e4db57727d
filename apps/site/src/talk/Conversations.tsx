import { type Market, parseTaskId, sanitizeText } from '@svc/protocol'
import { MessagesSquare } from 'lucide-react'
import { useApi } from '../api.ts'
import { AddressLink } from '../parts/AddressLink.tsx'
import { text } from '../text/common.ts'
import { talkText as labels } from '../text/talk.ts'
import { ButtonLink } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'
import { Time } from '../ui/Time.tsx'
import { TalkPlaceholder } from './TalkPlaceholder.tsx'
import { UnreadCount } from './UnreadCount.tsx'
import { useUnread } from './unread.ts'
import { type Conversation, useConversations } from './useTalk.ts'

/** As many as one request may ask for. */
const maxTitles = 50

/** Every conversation of the user, the last one first, with the way to it. */
export function Conversations({ market }: { market: Market }) {
  const talk = useConversations(market, true)
  const { store, needsSignIn, conversations } = talk
  if (!store || needsSignIn !== false || !conversations) return <TalkPlaceholder {...talk} />
  if (conversations.length === 0)
    return (
      <Empty icon={MessagesSquare} action={<ButtonLink href="/tasks">{text.notFound.explore}</ButtonLink>}>
        {labels.noConversations}
      </Empty>
    )
  return <ConversationList of={conversations} />
}

function ConversationList({ of: conversations }: { of: readonly Conversation[] }) {
  const titles = new Map([...useTitles(conversations, 'standard'), ...useTitles(conversations, 'micro')])
  return (
    <ul className="card rows">
      {conversations.map((conversation) => (
        <ConversationRow
          key={getHref(conversation)}
          of={conversation}
          title={
            'terms' in conversation
              ? sanitizeText(conversation.terms.title)
              : (titles.get(conversation.taskId) ?? labels.aboutTask(conversation.taskId))
          }
        />
      ))}
    </ul>
  )
}

/** The titles of open tasks of a market, by id. The newest conversations come first, so the rest can do without. */
function useTitles(conversations: readonly Conversation[], market: Market): readonly (readonly [string, string])[] {
  const ids = conversations
    .flatMap((each) => ('taskId' in each && parseTaskId(each.taskId).market === market ? [each.taskId] : []))
    .slice(0, maxTitles)
    .join(',')
  const { body } = useApi('listTitles', { ids }, ids !== '')
  return body?.titles.map(({ id, title }) => [id, sanitizeText(title)] as const) ?? []
}

function ConversationRow({ of: conversation, title }: { of: Conversation; title: string }) {
  const { other, isYourTurn, at, written } = conversation
  const unread = useUnread().count(written)
  const market = 'terms' in conversation ? conversation.terms.market : parseTaskId(conversation.taskId).market
  return (
    <li className="row between wrapping">
      <div className="stack tight">
        <h3 dir="auto">{title}</h3>
        <p className="row wrapping small soft">
          <AddressLink of={other} market={market} size={18} />
          <span>
            {labels.lastMessage} <Time at={Math.floor(at)} />
          </span>
        </p>
      </div>
      <span className="row">
        <UnreadCount of={unread} />
        {isYourTurn !== null && (
          <span className={isYourTurn ? 'pill turn' : 'pill'}>{isYourTurn ? labels.turn.you : labels.turn.them}</span>
        )}
        <ButtonLink size="small" href={getHref(conversation)}>
          {labels.open}
        </ButtonLink>
      </span>
    </li>
  )
}

const getHref = (conversation: Conversation): string =>
  'terms' in conversation
    ? `/work?tab=offers&market=${conversation.terms.market}&offer=${conversation.negotiationId}`
    : `/tasks/${conversation.taskId}?tab=talk&with=${conversation.other}`
