import { sanitizeText } from '@svc/protocol'
import { Bell as BellIcon } from 'lucide-react'
import { useRef, useState } from 'react'
import { Link } from '../router.tsx'
import { notificationsText as labels } from '../text/notifications.ts'
import { shortenAddress } from '../ui/Address.tsx'
import { Button } from '../ui/Button.tsx'
import { Note } from '../ui/Note.tsx'
import { formatLocal, Time, TimeLeft } from '../ui/Time.tsx'
import { describeWorkError } from '../work/describeWorkError.ts'
import { SignInNotice } from './SignInNotice.tsx'
import { type NotificationRow, useNotifications, useNotifier, useNotifierUrl, useReadOnVisit } from './useNotifier.ts'
import '../style/notifications.css'

/** The notifications of the wallet, if the site has a notifier. Without one, nothing of it is loaded. */
export function Bell() {
  return useNotifierUrl() ? <OpenBell /> : null
}

/** A button in the header with the number of unread notifications, and the newest of them. */
function OpenBell() {
  const { isReady, isKnown } = useNotifier()
  const list = useNotifications()
  useReadOnVisit(list)
  const { notifications, unread, error, markRead } = list
  const [isOpen, setOpen] = useState(false)
  const menu = useRef<HTMLDivElement>(null)
  if (!isKnown) return null
  const close = () => menu.current?.hidePopover()
  return (
    <>
      <button
        type="button"
        className="tray-button"
        popoverTarget="notifications"
        aria-label={labels.bell(unread)}
        title={labels.bell(unread)}
      >
        <BellIcon size={18} aria-hidden="true" />
        {unread > 0 && <span className="count">{unread > 99 ? labels.unreadMany : unread}</span>}
      </button>
      <div
        id="notifications"
        ref={menu}
        className="menu tray notifications"
        popover="auto"
        role="dialog"
        aria-label={labels.title}
        onToggle={({ newState }) => setOpen(newState === 'open')}
      >
        <header>
          <h2>{labels.title}</h2>
          <Link href="/settings/notifications" onClick={close}>
            {labels.settings}
          </Link>
        </header>
        {isOpen &&
          (isReady ? (
            <>
              <Note tone="loss">{error && describeWorkError(error).message}</Note>
              {notifications?.length === 0 && <p className="small soft">{labels.empty}</p>}
              <ul>
                {notifications?.map((row) => (
                  <Row key={row.id} row={row} onOpen={close} />
                ))}
              </ul>
              {unread > 0 && (
                <Button size="small" onClick={() => void markRead().catch(() => {})}>
                  {labels.markRead}
                </Button>
              )}
            </>
          ) : (
            <SignInNotice />
          ))}
      </div>
    </>
  )
}

function Row({ row, onOpen }: { row: NotificationRow; onOpen: () => void }) {
  const { title, text, url, createdAt, acknowledged, isCorrected, deadline, deliveries } = row
  const hasFailed = deliveries.some(({ status }) => status === 'failed')
  return (
    <li className={acknowledged ? undefined : 'unread'}>
      <p className="notification-head">
        <Link href={findPath(url)} onClick={onOpen} dir="auto">
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
