import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import {
  Metadata,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServerWritableStream,
  type sendUnaryData,
} from '@grpc/grpc-js'
import { parseGroupId, parseInstallationKey } from './mls.ts'
import { createTopicLog, type TopicLog } from './topicLog.ts'

// biome-ignore lint/suspicious/noExplicitAny: the package declares these types in a way that modules cannot read.
type Value = any

/** A generated message type. */
interface Coder {
  decode: (bytes: Uint8Array) => Value
  encode: (value: Value) => { finish: () => Uint8Array }
  fromPartial: (value: Value) => Value
}

/** Responds to one call, or streams topics until the caller disconnects. */
type Method =
  | { answer: (request: Value) => Value }
  | { topics: (request: Value) => { log: TopicLog; topic: string; after: number }[] }

/**
 * Starts a fake XMTP node in memory. It stores what clients publish and returns it, without validation, ordering, limits or
 * expiry of the real network. The clients are XMTP's own. The SDK expects a local node on port 5556.
 */
export async function startFakeNode(port = 5556): Promise<{ stop: () => void }> {
  const server = new Server({ 'grpc.max_receive_message_length': 8 * 1024 * 1024 })
  for (const { service, coders, methods } of [identityApi(), mlsApi()]) {
    for (const [name, method] of Object.entries(methods)) addMethod(server, `/${service}/${name}`, name, coders, method)
  }
  await new Promise<void>((resolve, reject) => {
    const listening = (error: Error | null) => (error ? reject(error) : resolve())
    server.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), listening)
  })
  return { stop: () => server.forceShutdown() }
}

function identityApi() {
  const inboxes = new Map<string, string>()
  const updates = createTopicLog()
  const methods: Record<string, Method> = {
    PublishIdentityUpdate: {
      answer: ({ identityUpdate }) => {
        updates.publish(identityUpdate.inboxId, (sequenceId, serverTimestampNs) => ({
          sequenceId,
          serverTimestampNs,
          update: identityUpdate,
        }))
        for (const { createInbox } of identityUpdate.actions) {
          if (createInbox) inboxes.set(createInbox.initialIdentifier.toLowerCase(), identityUpdate.inboxId)
        }
        return {}
      },
    },
    GetIdentityUpdates: {
      answer: ({ requests }) => ({
        responses: requests.map(({ inboxId, sequenceId }: Value) => ({
          inboxId,
          updates: updates.after(inboxId, Number(sequenceId)),
        })),
      }),
    },
    GetInboxIds: {
      answer: ({ requests }) => ({
        responses: requests.map(({ identifier, identifierKind }: Value) => ({
          identifier,
          identifierKind,
          inboxId: inboxes.get(identifier.toLowerCase()),
        })),
      }),
    },
    VerifySmartContractWalletSignatures: { answer: () => ({ responses: [] }) },
  }
  return { service: 'xmtp.identity.api.v1.IdentityApi', coders: loadCoders('identity/api/v1/identity.pb.js'), methods }
}

function mlsApi() {
  const [groups, welcomes] = [createTopicLog(), createTopicLog()]
  const packages = new Map<string, Uint8Array>()
  const keep = ({ keyPackage: { keyPackageTlsSerialized: bytes } }: Value) => {
    const installationKey = parseInstallationKey(bytes)
    packages.set(hex(installationKey), bytes)
    return { installationKey }
  }
  const page = (log: TopicLog, topic: Uint8Array, { limit = 0, idCursor = 0, direction }: Value = {}) => {
    const after = log.after(hex(topic), direction === descending ? 0 : Number(idCursor))
    const ordered = direction === descending ? after.toReversed() : after
    const messages = ordered.slice(0, limit || 100)
    return {
      messages,
      pagingInfo: { direction, limit, idCursor: messages.length < ordered.length ? last(messages) : 0 },
    }
  }
  const methods: Record<string, Method> = {
    RegisterInstallation: { answer: keep },
    UploadKeyPackage: { answer: keep },
    FetchKeyPackages: {
      answer: ({ installationKeys }) => ({
        keyPackages: installationKeys.map((key: Uint8Array) => ({ keyPackageTlsSerialized: packages.get(hex(key)) })),
      }),
    },
    SendGroupMessages: {
      answer: ({ messages }) => {
        for (const { v1 } of messages) {
          const { groupId, isCommit } = parseGroupId(v1.data)
          groups.publish(hex(groupId), (id, createdNs) => ({ v1: { ...v1, id, createdNs, groupId, isCommit } }))
        }
        return {}
      },
    },
    SendWelcomeMessages: {
      answer: ({ messages }) => {
        for (const { v1 } of messages) {
          welcomes.publish(hex(v1.installationKey), (id, createdNs) => ({ v1: { ...v1, id, createdNs } }))
        }
        return {}
      },
    },
    QueryGroupMessages: { answer: ({ groupId, pagingInfo }) => page(groups, groupId, pagingInfo) },
    QueryWelcomeMessages: { answer: ({ installationKey, pagingInfo }) => page(welcomes, installationKey, pagingInfo) },
    SubscribeGroupMessages: {
      topics: ({ filters }) =>
        filters.map(({ groupId, idCursor }: Value) => ({ log: groups, topic: hex(groupId), after: Number(idCursor) })),
    },
    SubscribeWelcomeMessages: {
      topics: ({ filters }) =>
        filters.map(({ installationKey, idCursor }: Value) => ({
          log: welcomes,
          topic: hex(installationKey),
          after: Number(idCursor),
        })),
    },
    GetNewestGroupMessage: {
      answer: ({ groupIds }) => ({
        responses: groupIds.map((id: Uint8Array) => ({ groupMessage: groups.after(hex(id), 0).at(-1) })),
      }),
    },
    BatchPublishCommitLog: { answer: () => ({}) },
    BatchQueryCommitLog: {
      answer: ({ requests }) => ({ responses: requests.map(({ groupId }: Value) => ({ groupId })) }),
    },
  }
  return { service: 'xmtp.mls.api.v1.MlsApi', coders: loadCoders('mls/api/v1/mls.pb.js'), methods }
}

function addMethod(server: Server, path: string, name: string, coders: Record<string, Coder>, method: Method): void {
  const takes = coders[`${name}Request`] as Coder
  const gives = 'topics' in method ? coders[name.replace(/^Subscribe(.*)s$/, '$1')] : coders[`${name}Response`]
  const definition = {
    path,
    requestStream: false,
    responseStream: 'topics' in method,
    requestSerialize: (value: Value) => Buffer.from(takes.encode(value).finish()),
    requestDeserialize: (bytes: Buffer) => takes.decode(bytes),
    responseSerialize: (value: Value) => Buffer.from(gives ? gives.encode(gives.fromPartial(value)).finish() : []),
    responseDeserialize: (bytes: Buffer) => gives?.decode(bytes),
  }
  const handler =
    'topics' in method
      ? (call: ServerWritableStream<Value, Value>) => {
          // Clients wait for the response metadata before they continue.
          call.sendMetadata(new Metadata())
          const give = (value: Value) => call.write(value)
          const unsubscribe = method.topics(call.request).map(({ log, topic, after }) => log.follow(topic, after, give))
          call.on('cancelled', () => {
            for (const each of unsubscribe) each()
          })
        }
      : (call: ServerUnaryCall<Value, Value>, done: sendUnaryData<Value>) => done(null, method.answer(call.request))
  server.addService({ [name]: definition }, { [name]: handler } as never)
}

/** Loads the generated types of one file as CommonJS. The package's ES modules do not load in Node. */
function loadCoders(file: string): Record<string, Coder> {
  const require = createRequire(import.meta.url)
  return require(join(dirname(require.resolve('@xmtp/proto')), file))
}

const descending = 2
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const last = (messages: readonly Value[]) => messages.at(-1)?.v1.id ?? 0
