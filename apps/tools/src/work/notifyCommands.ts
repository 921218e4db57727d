import { readAccount } from '../negotiate/context.ts'
import { UsageError } from '../negotiate/describeExit.ts'
import { readJsonFile } from '../negotiate/parseArguments.ts'
import { toSingleLine } from '../negotiate/plainText.ts'
import type { CommandAbout } from './command.ts'
import { openNotifier } from './notifier.ts'
import type { WorkWallet } from './place.ts'
import { buildProfileStatement, publishStatement } from './publishProfile.ts'

const secondOption = ['--near-deadline', 'only what was not read, when its deadline comes near'] as const

/** The commands about the notifications of a wallet. */
export const notifyCommands: readonly CommandAbout<'wallet', WorkWallet>[] = [
  {
    about: 'wallet',
    service: 'notifier',
    name: 'inbox',
    args: '',
    summary: 'List your notifications, newest first.',
    options: [
      ['--unread', 'leave out what was marked as read'],
      ['--mark-read', 'mark everything as read'],
    ],
    run: async (wallet, options) => {
      const notifier = await openNotifier(wallet)
      const { body } = await notifier.listNotifications({ show: options.unread === undefined ? 'all' : 'unread' })
      if (options['mark-read'] !== undefined) await notifier.acknowledgeNotifications({ upTo: body.cursor })
      const lines = body.notifications.map(
        ({ title, text, url, acknowledged, isCorrected }) =>
          `${acknowledged ? ' ' : '*'} ${toSingleLine(title)}${isCorrected ? ' (no longer true)' : ''}\n    ${toSingleLine(text)}\n    ${toSingleLine(url)}`,
      )
      return { json: body, text: lines.length > 0 ? lines.join('\n') : 'No notifications.' }
    },
  },
  {
    about: 'wallet',
    service: 'notifier',
    name: 'channels',
    args: '',
    summary: 'List where your notifications go.',
    run: async (wallet) => {
      const { body } = await (await openNotifier(wallet)).listSubscriptions({})
      const lines = body.subscriptions.map(({ id, channel, target, status, problem }) =>
        [id, channel, toSingleLine(target), status, ...(problem ? [toSingleLine(problem)] : [])].join('  '),
      )
      return { json: body, text: lines.length > 0 ? lines.join('\n') : 'Only to your inbox.' }
    },
  },
  {
    about: 'wallet',
    service: 'notifier',
    name: 'add-webhook',
    args: '<url>',
    summary: 'Send your notifications to an https URL, signed as Standard Webhooks describes. Prints the secret once.',
    options: [secondOption],
    run: async (wallet, options, [url]) => {
      const isSecond = options['near-deadline'] !== undefined
      const { body } = await (await openNotifier(wallet)).addWebhook({ url: String(url), isSecond })
      return {
        json: body,
        text: `Added ${body.id}. Requests are signed with this secret, shown only now:\n${body.secret}`,
      }
    },
  },
  {
    about: 'wallet',
    service: 'notifier',
    name: 'add-email',
    args: '<address>',
    summary: 'Send your notifications to an e-mail address, once its owner has opened the link in a first e-mail.',
    options: [secondOption],
    run: async (wallet, options, [address]) => {
      const isSecond = options['near-deadline'] !== undefined
      const { body } = await (await openNotifier(wallet)).addEmail({ address: String(address), isSecond })
      const next = body.status === 'active' ? 'The address was confirmed before.' : 'Open the link in the e-mail.'
      return { json: body, text: `Added ${body.id}. ${next}` }
    },
  },
  {
    about: 'wallet',
    service: 'notifier',
    name: 'test-channel',
    args: '<id>',
    summary: 'Send a test message now.',
    run: async (wallet, _, [id]) => {
      const { body } = await (await openNotifier(wallet)).testSubscription({ id: String(id) })
      return { json: body, text: body.sent ? 'Sent.' : `Not sent: ${toSingleLine(body.problem ?? '')}` }
    },
  },
  {
    about: 'wallet',
    service: 'notifier',
    name: 'remove-channel',
    args: '[id]',
    summary: 'Stop sending there and delete the contact data; without an id, all of it.',
    run: async (wallet, _, [id]) => {
      const notifier = await openNotifier(wallet)
      if (id === undefined) {
        const { body } = await notifier.removeSubscriptions({})
        return { json: body, text: `Removed ${body.removed}.` }
      }
      const { body } = await notifier.removeSubscription({ id: String(id) })
      return { json: body, text: 'Removed.' }
    },
  },
  {
    about: 'wallet',
    service: 'notifier',
    name: 'searches',
    args: '',
    summary: 'List your saved searches.',
    run: async (wallet) => {
      const { body } = await (await openNotifier(wallet)).listSearches({})
      const lines = body.searches.map(({ id, name, search }) =>
        [id, toSingleLine(name), toSingleLine(search)].join('  '),
      )
      return { json: body, text: lines.length > 0 ? lines.join('\n') : 'No saved searches.' }
    },
  },
  {
    about: 'wallet',
    service: 'notifier',
    name: 'save-search',
    args: '<name> <query>',
    summary: 'Hear of new tasks that a search finds. The query is that of its URL: "market=micro&q=logo".',
    run: async (wallet, _, [name, query]) => {
      const { body } = await (await openNotifier(wallet)).saveSearch({ name: String(name), search: String(query) })
      return { json: body, text: `Saved ${body.id}.` }
    },
  },
  {
    about: 'wallet',
    service: 'notifier',
    name: 'remove-search',
    args: '<id>',
    summary: 'Delete a saved search.',
    run: async (wallet, _, [id]) => {
      const { body } = await (await openNotifier(wallet)).removeSearch({ id: String(id) })
      return { json: body, text: body.removed ? 'Removed.' : 'You have no such search.' }
    },
  },
  {
    about: 'wallet',
    service: 'notifier',
    name: 'calendar',
    args: '',
    summary: 'Print the private address of a calendar with your deadlines. An earlier one ends.',
    run: async (wallet) => {
      const { body } = await (await openNotifier(wallet)).createCalendar({})
      return { json: body, text: body.url }
    },
  },
  {
    about: 'wallet',
    service: 'notifier',
    name: 'publish-profile',
    args: '[profile.json]',
    summary:
      'Sign and publish what your wallet says about itself: displayName, about, skills, languages, links, contact, offerings, picture. Without a file, remove it.',
    async run(wallet, _, [file], { environment }) {
      const built = buildProfileStatement(wallet, file === undefined ? null : await readJsonFile(String(file)))
      if (built.problem !== undefined) throw new UsageError(built.problem)
      const { statement, typedData } = built
      const signature = await readAccount(environment.PRIVATE_KEY).signTypedData(typedData)
      const { body } = await publishStatement(wallet, statement, signature)
      return { json: body, text: body.status === 'published' ? 'Published.' : 'Removed.' }
    },
  },
]
