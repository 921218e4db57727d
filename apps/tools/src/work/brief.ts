import { decodeTaskText, SvcError } from '@svc/protocol'
import { type BriefFile, createByteCounter, findAudience, iterateStream } from '@svc/protocol/internal/work'
import type { ExpectedBundle, WorkFile } from '@svc/protocol/work'
import { findBriefFiles, isBriefFile, listBriefs, type StoredBrief } from '@svc/work'
import { isAddressEqual } from 'viem'
import { buildSubject, openTaskTalk, shareTask } from './openTalk.ts'
import type { WorkPlace } from './place.ts'

/** Lists the files that the text of a task names. */
export const readBriefFiles = ({ detail }: Pick<WorkPlace, 'detail'>): readonly BriefFile[] =>
  decodeTaskText(detail.text ?? '').files ?? []

/** Lists the briefs of both parties at the store. */
export async function listTaskBriefs({ taskId, store, detail, checks, markets }: WorkPlace): Promise<StoredBrief[]> {
  const registry = markets.deployments.markets[taskId.market].taskRegistry
  const { poster, worker } = detail.task
  return listBriefs(store, { chainId: checks.chainId, registry, taskId }, worker ? [poster, worker] : [poster])
}

/** Lists the sealed briefs that hold files which the text of the task names. Other files that the parties sent each other are theirs to share. */
export async function listSealedBriefs(place: WorkPlace): Promise<ExpectedBundle[]> {
  const named = readBriefFiles(place).filter((file) => findAudience(file) === 'worker')
  if (named.length === 0) return []
  const briefs = (await listTaskBriefs(place)).filter(({ author }) => isAddressEqual(author, place.detail.task.poster))
  const hashes = new Set((await findBriefFiles(place.store, briefs, named)).map(({ hash }) => hash))
  return briefs.filter(({ hash }) => hashes.has(hash))
}

/** Reads files, and describes them as the text of a task names them. Those that are not for everyone go without their hash. */
export async function describeBriefFiles(
  files: readonly WorkFile[],
  isForEveryone: (name: string) => boolean,
): Promise<BriefFile[]> {
  const described: BriefFile[] = []
  for (const { name, type, open } of files) {
    const { size, sha256 } = await hashFile(open())
    described.push({ name, type, size, ...(isForEveryone(name) && { sha256 }) })
  }
  return described
}

/**
 * Divides the files of a brief by their audience. Only what the text of the task names for everyone is ever public. Throws
 * FILE_CHANGED for other content than the text names.
 */
export async function splitBrief(
  place: WorkPlace,
  files: readonly WorkFile[],
): Promise<{ everyone: WorkFile[]; worker: WorkFile[] }> {
  const named = isAddressEqual(place.wallet, place.detail.task.poster) ? readBriefFiles(place) : []
  const everyone: WorkFile[] = []
  const worker: WorkFile[] = []
  for (const file of files) {
    const found = named.find(({ name }) => name === file.name)
    if (found && !isBriefFile(found, { name: file.name, ...(await hashFile(file.open())) }))
      throw new SvcError('FILE_CHANGED', `${file.name} is not the file that the text of the task names.`, {
        hint: 'Send the file as it was when the task was posted, or another one under another name.',
      })
    const isPublic = found !== undefined && findAudience(found) === 'everyone'
    ;(isPublic ? everyone : worker).push(file)
  }
  return { everyone, worker }
}

async function hashFile(content: ReturnType<WorkFile['open']>) {
  const counter = createByteCounter()
  for await (const chunk of iterateStream(content)) counter.add(chunk)
  return counter.finish()
}

/** Tells the worker of sealed briefs in the conversation of the task, each once. Returns false as long as there is no worker. */
export async function announceBriefs(place: WorkPlace, hashes: readonly StoredBrief['hash'][]): Promise<boolean> {
  if (!place.detail.task.worker) return false
  const subject = buildSubject(place)
  const talk = openTaskTalk(place)
  await talk.mailbox.sync()
  const { thread } = await talk.readThread(subject)
  const announced = thread.messages.flatMap(({ message }) => (message.type === 'Brief' ? [message.payload.hash] : []))
  for (const hash of hashes) {
    if (!announced.includes(hash)) await talk.write(subject, 'Brief', { hash }, shareTask(place, subject))
  }
  return true
}
