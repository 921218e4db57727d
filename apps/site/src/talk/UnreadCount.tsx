import { talkText } from '../text/talk.ts'

/** How many messages are unread; nothing if there are none. */
export const UnreadCount = ({ of: count }: { of: number }) =>
  count > 0 ? (
    <span className="count">
      {count}
      <span className="visually-hidden"> {talkText.unread(count)}</span>
    </span>
  ) : null
