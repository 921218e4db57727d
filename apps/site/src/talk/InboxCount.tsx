import { useApi } from '../api.ts'
import { useNotifications, useReadOnVisit } from '../notify/useNotifier.ts'
import { useMarket } from '../useMarket.ts'
import { useWallet } from '../wallet/useWallet.ts'
import { useUnread } from './unread.ts'
import { useConversations } from './useTalk.ts'

/** What waits for the user: duties and unread messages. What only happened has its number in the inbox. */
export function InboxCount() {
  const { address = '' } = useWallet()
  const market = useMarket()
  const { body } = useApi('listInbox', { address, market }, address !== '')
  const { conversations = [] } = useConversations(market)
  const { countAll } = useUnread()
  useReadOnVisit(useNotifications())
  const duties = body?.entries.filter(({ duty }) => duty).length ?? 0
  const count = duties + countAll(conversations.map(({ written }) => written))
  return count > 0 ? <span className="count">{count}</span> : null
}
