import type { Config } from '../settings/config.ts'
import type { Check, CheckedShop } from './check.ts'
import {
  checkClock,
  checkDatabase,
  checkKeys,
  checkMigrations,
  checkNumbers,
  checkRestored,
} from './database.ts'
import {
  checkBackups,
  checkDisk,
  checkMailServer,
  checkMemory,
  checkPermissions,
  checkSettings,
  checkUnfinishedRestore,
} from './machine.ts'
import {
  checkAuditFindings,
  checkGivenUpMails,
  checkJobs,
  checkMailQueue,
  checkPausedMail,
  checkProxies,
} from './operations.ts'
import {
  checkAmountMismatches,
  checkContradictions,
  checkDisputes,
  checkPaymentKeys,
  checkPrices,
  checkProvider,
  checkRefusedRefunds,
  checkUncheckedOrders,
  checkUndecidedRefunds,
  checkWebhooks,
  checkWithdrawals,
} from './payments.ts'
import {
  checkDelivery,
  checkIsNamed,
  checkMedia,
  checkOnSale,
  checkPages,
  checkPresentation,
  checkShopFile,
} from './titles-and-pages.ts'

/** Need only the settings. The doctor shows them, and each start does before it opens the database. */
export const MACHINE_CHECKS: readonly Check<Config>[] = [
  { id: 'settings', run: checkSettings },
  { id: 'permissions', run: checkPermissions },
  { id: 'disk', run: checkDisk },
  { id: 'memory', run: checkMemory },
  { id: 'backups', run: (config) => checkBackups(config) },
  { id: 'restore', run: checkUnfinishedRestore },
]

/** In the order in which each reader shows them. */
export const SHOP_CHECKS: readonly Check<CheckedShop>[] = [
  { id: 'database', inDoctor: true, run: checkDatabase },
  { id: 'migrations', inDoctor: true, run: checkMigrations },
  { id: 'keys', inDoctor: true, run: checkKeys },
  { id: 'numbers', inDoctor: true, run: checkNumbers },
  { id: 'restored', inDoctor: true, run: checkRestored },
  { id: 'clock', inDoctor: true, run: checkClock },
  { id: 'mail', inDoctor: true, run: checkMailQueue },
  { id: 'provider', inDoctor: true, run: checkProvider },
  { id: 'amount mismatches', todoKind: 'payment', run: checkAmountMismatches },
  { id: 'refused refunds', todoKind: 'refund', run: checkRefusedRefunds },
  { id: 'undecided refunds', todoKind: 'refund', run: checkUndecidedRefunds },
  { id: 'disputes', todoKind: 'dispute', run: checkDisputes },
  { id: 'withdrawals', todoKind: 'withdrawal', run: checkWithdrawals },
  { id: 'contradictions', todoKind: 'membership', run: checkContradictions },
  { id: 'unchecked orders', todoKind: 'order', run: checkUncheckedOrders },
  { id: 'prices', inDoctor: true, todoKind: 'price', run: checkPrices },
  { id: 'jobs', todoKind: 'job', run: checkJobs },
  { id: 'given-up mails', todoKind: 'mail', run: checkGivenUpMails },
  { id: 'webhooks', inDoctor: true, run: checkWebhooks },
  { id: 'media', inDoctor: true, run: checkMedia },
  { id: 'delivery', inDoctor: true, run: checkDelivery },
  { id: 'named', atStart: 'unless demo', run: checkIsNamed },
  { id: 'on sale', inDoctor: true, atStart: 'unless demo', run: checkOnSale },
  { id: 'payment keys', atStart: 'unless demo', run: checkPaymentKeys },
  { id: 'mail server', atStart: 'unless demo', run: checkMailServer },
  { id: 'pages', inDoctor: true, atStart: 'unless demo', run: checkPages },
  { id: 'presentation', atStart: 'unless demo', run: checkPresentation },
  { id: 'paused mail', atStart: 'always', run: checkPausedMail },
  { id: 'name', inDoctor: true, run: checkShopFile },
  { id: 'proxy', inDoctor: true, todoKind: 'proxy', run: checkProxies },
  { id: 'audit', todoKind: 'audit', run: checkAuditFindings },
]
