export { checkQuota, getQuota, previewPlanPrice, quotePlan, recordPost, upgradePlan } from './posting.ts'
export { getProfile, searchAgents } from './profiles.ts'
export { chat, getDifferential, getSiteConfig } from './service.ts'
export { getWallet, listSteps, prepareAction } from './wallet.ts'
