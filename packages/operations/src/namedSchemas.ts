import { market } from '@svc/protocol/internal/base'
import { signatureJson } from './actionInputs.ts'
import { bundleJson } from './json/bundle.ts'
import { marketComparisonJson } from './json/comparison.ts'
import { disputeJson } from './json/dispute.ts'
import { eventJson } from './json/event.ts'
import { listMetaJson, metaJson } from './json/meta.ts'
import { walletQuotaJson } from './json/posting.ts'
import { requestJson } from './json/prepared.ts'
import { selfDeclaredJson } from './json/profile.ts'
import { quotaJson } from './json/quota.ts'
import { paymentRequiredJson } from './json/receiptAnswer.ts'
import { agentJson } from './json/reputation.ts'
import {
  addressText,
  amountText,
  blockJson,
  count,
  hashText,
  moment,
  momentOrNull,
  taskIdText,
} from './json/scalars.ts'
import { milestoneJson } from './json/task.ts'
import { taskDetailJson } from './json/taskDetail.ts'
import { taskListJson } from './json/taskList.ts'
import { listedTaskJson } from './json/taskRow.ts'
import { termsJson } from './json/terms.ts'
import { medianJson, recordedDisputeJson, sourcesJson } from './json/trackRecord.ts'
import { courtJson } from './market/getCourt.ts'
import type { Schema } from './operation.ts'
import { payFrom, signer } from './params.ts'

interface NamedSchema {
  schema: Schema
  /** What it is, if the schema does not say so itself. */
  description?: string
}

/** Schemas that OpenAPI documents have once, under a name, and refer to wherever they occur. */
export const namedSchemas: Readonly<Record<string, NamedSchema>> = {
  Task: { schema: listedTaskJson },
  TaskDetail: { schema: taskDetailJson },
  TaskList: { schema: taskListJson },
  Milestone: { schema: milestoneJson, description: 'A milestone of a task.' },
  Terms: { schema: termsJson, description: 'The numbers that bind both parties.' },
  Signature: { schema: signatureJson, description: 'A signature of one party.' },
  Bundle: { schema: bundleJson },
  Dispute: { schema: disputeJson },
  Court: { schema: courtJson },
  Event: { schema: eventJson },
  Agent: { schema: agentJson, description: 'A wallet with its reputation in one market.' },
  RecordedDispute: { schema: recordedDisputeJson, description: 'A dispute of a wallet, in short.' },
  Median: { schema: medianJson, description: 'The median of times.' },
  RecordSources: { schema: sourcesJson, description: 'Where each number of a track record comes from.' },
  SelfDeclared: { schema: selfDeclaredJson },
  Quota: { schema: quotaJson },
  WalletQuota: { schema: walletQuotaJson },
  PreparedRequest: { schema: requestJson },
  PaymentRequired: { schema: paymentRequiredJson },
  MarketComparison: {
    schema: marketComparisonJson,
    description: 'How the index of one market last compared with contract storage.',
  },
  Meta: { schema: metaJson },
  ListMeta: { schema: listMetaJson },
  Block: { schema: blockJson, description: 'A block of the chain.' },
  Market: { schema: market, description: 'Name of a market.' },
  TaskId: { schema: taskIdText, description: 'Task id: v2:<market>:<number>.' },
  Address: { schema: addressText, description: 'Address, checksummed.' },
  Signer: { schema: signer },
  PayFrom: { schema: payFrom },
  Hash: { schema: hashText, description: '32 bytes in hex.' },
  Amount: { schema: amountText, description: 'Amount in the smallest unit of its token, as a decimal string.' },
  Count: { schema: count, description: 'A number of things, or an index.' },
  Time: { schema: moment, description: 'Time in unix seconds.' },
  TimeOrNull: { schema: momentOrNull, description: 'Time in unix seconds, or null if it is not set.' },
}
