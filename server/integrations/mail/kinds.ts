import type { EmailTemplate } from './template.ts'
import {
  accountDeleted,
  confirmAddress,
  emailChange,
  emailChangeAsked,
  emailChanged,
  emailInUse,
  newsletter,
  newsletterConfirm,
  newsletterWelcome,
  passwordChanged,
  resetPassword,
} from './templates/account.ts'
import { officeInvitation, officeRecoveryUsed } from './templates/office.ts'
import { cardAdditions, cardReceipt, cardTakenBack, outletStatement } from './templates/cards.ts'
import {
  audiobookLapsing,
  cardChanged,
  membershipCancelled,
  membershipEnded,
  membershipEnding,
  membershipRefunded,
  membershipReminder,
  membershipRenewed,
  membershipResumed,
  membershipStarted,
  membershipWithdrawn,
  paymentFailed,
  paymentNeedsYou,
  planChanged,
  trialEnding,
  trialStarted,
  withdrawalReceived,
} from './templates/membership.ts'
import {
  audiobookGiven,
  giftMembership,
  giftMembershipBegun,
  giftMembershipFailed,
  giftMembershipGiven,
  giftMembershipOpened,
  giftMembershipUnopened,
  giftMembershipWithdrawn,
} from './templates/membership-gifts.ts'
import {
  giftBook,
  giftBookFailed,
  giftBookOpened,
  giftWithdrawn,
  orderConfirmed,
  paymentDisputed,
  titleRefunded,
  titleTakenBack,
} from './templates/orders.ts'
import { seriesConfirm, seriesNext } from './templates/series.ts'

/** Never remove a kind: rows of an older release may have it. */
export const TEMPLATES = {
  confirm_address: confirmAddress,
  reset_password: resetPassword,
  password_changed: passwordChanged,
  email_change: emailChange,
  email_change_asked: emailChangeAsked,
  email_changed: emailChanged,
  email_in_use: emailInUse,
  account_deleted: accountDeleted,
  newsletter_confirm: newsletterConfirm,
  newsletter_welcome: newsletterWelcome,
  newsletter,
  series_confirm: seriesConfirm,
  series_next: seriesNext,
  order_confirmed: orderConfirmed,
  gift_book: giftBook,
  gift_book_opened: giftBookOpened,
  gift_book_failed: giftBookFailed,
  title_refunded: titleRefunded,
  payment_disputed: paymentDisputed,
  title_taken_back: titleTakenBack,
  gift_withdrawn: giftWithdrawn,
  membership_started: membershipStarted,
  trial_started: trialStarted,
  trial_ending: trialEnding,
  membership_reminder: membershipReminder,
  membership_renewed: membershipRenewed,
  audiobook_lapsing: audiobookLapsing,
  audiobook_given: audiobookGiven,
  payment_failed: paymentFailed,
  payment_needs_you: paymentNeedsYou,
  card_changed: cardChanged,
  plan_changed: planChanged,
  membership_cancelled: membershipCancelled,
  membership_resumed: membershipResumed,
  membership_ending: membershipEnding,
  membership_ended: membershipEnded,
  membership_refunded: membershipRefunded,
  membership_withdrawn: membershipWithdrawn,
  withdrawal_received: withdrawalReceived,
  card_receipt: cardReceipt,
  card_taken_back: cardTakenBack,
  outlet_statement: outletStatement,
  card_additions: cardAdditions,
  gift_membership: giftMembership,
  gift_membership_given: giftMembershipGiven,
  gift_membership_failed: giftMembershipFailed,
  gift_membership_opened: giftMembershipOpened,
  gift_membership_unopened: giftMembershipUnopened,
  gift_membership_begun: giftMembershipBegun,
  gift_membership_withdrawn: giftMembershipWithdrawn,
  office_invitation: officeInvitation,
  office_recovery_used: officeRecoveryUsed,
} as const

export type MailKind = keyof typeof TEMPLATES
export type DataOf<Kind extends MailKind> = Parameters<(typeof TEMPLATES)[Kind]>[0]

/** Emails that a user is waiting for, because they have just requested them. */
export const URGENT: readonly MailKind[] = [
  'confirm_address',
  'reset_password',
  'password_changed',
  'email_change',
  'email_change_asked',
  'email_changed',
  'email_in_use',
  'account_deleted',
  'newsletter_confirm',
  'newsletter_welcome',
  'series_confirm',
  'withdrawal_received',
  'office_invitation',
  'office_recovery_used',
]

export const templateOf = (kind: string): EmailTemplate<never> | undefined =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a key of the object
  Object.hasOwn(TEMPLATES, kind) ? TEMPLATES[kind as MailKind] : undefined
