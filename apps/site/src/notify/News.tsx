import { sanitizeText } from '@svc/protocol'
import { Link } from '../router.tsx'
import { notificationsText as labels } from '../text/notifications.ts'
import { shortenAddress } from '../ui/Address.tsx'
import { Button } from '../ui/Button.tsx'
import { Note } from '../ui/Note.tsx'
import { formatLocal, Time, TimeLeft } from '../ui/Time.tsx'
import { describeWorkError } from '../work/describeWorkError.ts'
import { RequireSession } from './SignInNotice.tsx'
import { type NotificationRow, useNotifications } from './useNotifier.ts'
import '../style/notifications.css'

/** What happened to the tasks of the wallet, the newest first. */
export function News() {
  const { notifications, unread, error, markRead } = useNotifications()
  return (
    <RequireSession lines={4}>
      {() => (
        <section className="card pad notifications" aria-label={labels.title}>
          <header>
            <Link href="/settings/notifications">{labels.settings}</Link>
            {unread > 0 && (
              <Button size="small" onClick={() => void markRead().catch(() => {})}>
                {labels.markRead}
              </Button>
            )}
          </header>
          <Note tone="loss">{error && describeWorkError(error).message}</Note>
          {notifications?.length === 0 && <p className="small soft">{labels.empty}</p>}
          <ul>
            {notifications?.map((row) => (
              <Row key={row.id} row={row} />
            ))}
          </ul>
        </section>
      )}
    </RequireSession>
  )
}

function Row({ row }: { row: NotificationRow }) {
  const { title, text, url, createdAt, acknowledged, isCorrected, deadline, deliveries } = row
  const hasFailed = deliveries.some(({ status }) => status === 'failed')
  return (
    <li className={acknowledged ? undefined : 'unread'}>
      <p className="notification-head">
        <Link href={findPath(url)} dir="auto">
          {sanitizeText(title)}
        </Link>
        <span className="tiny faint">
          <Time at={createdAt} />
        </span>
      </p>
      <p className={isCorrected ? 'small soft struck' : 'small soft'} dir="auto">
        {shortenText(sanitizeText(text))}
      </p>
      {isCorrected && <p className="tiny turn-text">{labels.corrected}</p>}
      {!isCorrected && deadline !== null && !acknowledged && (
        <p className="tiny turn-text">
          {labels.due} <TimeLeft to={deadline} over="" />
        </p>
      )}
      {hasFailed && <p className="tiny loss-text">{labels.failed}</p>}
    </li>
  )
}

/** The notifier writes whole addresses and UTC, which suit every channel. Here addresses are short and times local. */
const shortenText = (text: string) =>
  text
    .replace(/0x[0-9a-f]{40}\b/gi, shortenAddress)
    .replace(/(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC/g, (_, day, time) =>
      formatLocal(Date.parse(`${day}T${time}Z`) / 1000),
    )

/** Notifications lead to pages of this site only, whatever the notifier says. */
function findPath(url: string): string {
  const target = URL.parse(url, location.origin)
  return target && /^https?:$/.test(target.protocol) ? target.pathname + target.search : '/inbox'
}
