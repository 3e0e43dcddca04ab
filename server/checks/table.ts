import type { Config } from '../settings/config.ts'
import type { Check, CheckedShop } from './check.ts'
import * as database from './database.ts'
import * as machine from './machine.ts'
import * as operations from './operations.ts'
import * as payments from './payments.ts'
import * as titlesAndPages from './titles-and-pages.ts'

/** Need only the settings. The doctor shows them, and each start does before it opens the database. */
export const MACHINE_CHECKS: readonly Check<Config>[] = [
  { id: 'settings', run: machine.checkSettings },
  { id: 'permissions', run: machine.checkPermissions },
  { id: 'disk', run: machine.checkDisk },
  { id: 'memory', run: machine.checkMemory },
  { id: 'backups', run: (config) => machine.checkBackups(config) },
  { id: 'restore', run: machine.checkUnfinishedRestore },
]

/** In the order in which each reader shows them. */
export const SHOP_CHECKS: readonly Check<CheckedShop>[] = [
  { id: 'database', inDoctor: true, run: database.checkDatabase },
  { id: 'migrations', inDoctor: true, run: database.checkMigrations },
  { id: 'keys', inDoctor: true, run: database.checkKeys },
  { id: 'numbers', inDoctor: true, run: database.checkNumbers },
  { id: 'restored', inDoctor: true, run: database.checkRestored },
  { id: 'clock', inDoctor: true, run: database.checkClock },
  { id: 'mail', inDoctor: true, run: operations.checkMailQueue },
  { id: 'provider', inDoctor: true, run: payments.checkProvider },
  { id: 'amount mismatches', todoKind: 'payment', run: payments.checkAmountMismatches },
  { id: 'refused refunds', todoKind: 'refund', run: payments.checkRefusedRefunds },
  { id: 'undecided refunds', todoKind: 'refund', run: payments.checkUndecidedRefunds },
  { id: 'disputes', todoKind: 'dispute', run: payments.checkDisputes },
  { id: 'withdrawals', todoKind: 'withdrawal', run: payments.checkWithdrawals },
  { id: 'contradictions', todoKind: 'membership', run: payments.checkContradictions },
  { id: 'unchecked orders', todoKind: 'order', run: payments.checkUncheckedOrders },
  { id: 'prices', inDoctor: true, todoKind: 'price', run: payments.checkPrices },
  { id: 'jobs', todoKind: 'job', run: operations.checkJobs },
  { id: 'given-up mails', todoKind: 'mail', run: operations.checkGivenUpMails },
  { id: 'bookshop payments', todoKind: 'statement', run: operations.checkBookshopPayments },
  { id: 'starter packs', todoKind: 'pack', run: operations.checkStarterPacks },
  { id: 'webhooks', inDoctor: true, run: payments.checkWebhooks },
  { id: 'media', inDoctor: true, run: titlesAndPages.checkMedia },
  { id: 'delivery', inDoctor: true, run: titlesAndPages.checkDelivery },
  { id: 'named', atStart: 'unless demo', run: titlesAndPages.checkIsNamed },
  { id: 'on sale', inDoctor: true, atStart: 'unless demo', run: titlesAndPages.checkOnSale },
  { id: 'payment keys', atStart: 'unless demo', run: payments.checkPaymentKeys },
  { id: 'mail server', atStart: 'unless demo', run: machine.checkMailServer },
  { id: 'pages', inDoctor: true, atStart: 'unless demo', run: titlesAndPages.checkPages },
  { id: 'presentation', atStart: 'unless demo', run: titlesAndPages.checkPresentation },
  { id: 'paused mail', atStart: 'always', run: operations.checkPausedMail },
  { id: 'name', inDoctor: true, run: titlesAndPages.checkShopFile },
  { id: 'proxy', inDoctor: true, todoKind: 'proxy', run: operations.checkProxies },
  { id: 'audit', todoKind: 'audit', run: operations.checkAuditFindings },
]
