import Type, { type Static } from 'typebox'
import { embedded, Email, NullableString, Uuid } from './atoms.ts'
import { endpoint } from './endpoint.ts'
import { collection, item } from './hydra.ts'

export const getInfoPage = endpoint({
  method: 'GET',
  path: '/api/info_pages/{slug}',
  summary: 'An info page',
  access: 'public',
  params: Type.Object({ slug: Type.String({ maxLength: 160 }) }),
  /** `content` is sanitised HTML. */
  reply: item('InfoPage', { slug: Type.String(), title: Type.String(), content: Type.String() }),
})
export const listFaqCategories = endpoint({
  method: 'GET',
  path: '/api/f_a_q_categories',
  summary: 'Questions by category, the published ones only',
  access: 'public',
  reply: collection(
    embedded('FAQCategory', {
      name: Type.String(),
      faqsPublished: Type.Array(Type.Object({ question: Type.String(), answer: Type.String() })),
    }),
  ),
})
/** Emails a confirmation link. The answer is the same for known and unknown addresses. */
export const subscribeNewsletter = endpoint({
  method: 'POST',
  path: '/api/newsletters',
  summary: 'Subscribe to the newsletter',
  access: 'anyone',
  status: 201,
  body: Type.Object({ email: Email }),
  reply: item('Newsletter', { email: Type.String() }),
})
/** By the emailed token; until then nothing is sent. Safe to repeat. The answer is the same for an invalid token. */
export const confirmNewsletter = endpoint({
  method: 'POST',
  path: '/api/newsletters/confirm/{token}',
  summary: 'Confirm the newsletter',
  access: 'open',
  status: 204,
  params: Type.Object({ token: Uuid }),
})
/** By the emailed token; the answer is the same if the address was no longer on the list. */
export const unsubscribeNewsletter = endpoint({
  method: 'POST',
  path: '/api/newsletters/unsubscribe/{token}',
  summary: 'Leave the newsletter',
  access: 'open',
  status: 204,
  params: Type.Object({ token: Uuid }),
})
/**
 * Id 1 contains `requiredPurchaserEmail` (ENT-23), the contacts (of the shop, and for bookshops the person responsible
 * for them), and the seller.
 */
export const Setting = item('Setting', {
  name: Type.String(),
  requiredPurchaserEmail: Type.Boolean(),
  supportMail: Type.String(),
  supportPhone: NullableString,
  bookshopMail: Type.String(),
  bookshopPhone: NullableString,
  /** The owner's address, line by line, and VAT number, for receipts. */
  address: Type.Array(Type.String()),
  vatNumber: NullableString,
})
export type Setting = Static<typeof Setting>
export const getSetting = endpoint({
  method: 'GET',
  path: '/api/settings/{name}',
  summary: 'A setting of the shop',
  access: 'public',
  params: Type.Object({ name: Type.String({ maxLength: 60 }) }),
  reply: Setting,
})

const Text = Type.String()
export const MembershipPage = embedded('MembershipPage', {
  joinSubtitle: Text,
  joinTitle: Text,
  joinDescription: Text,
  image: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  subscriptionTitle: Text,
  subscriptionSubtitle: Text,
  freeTitle: Text,
  freeDescription: Text,
  supporterTitle: Text,
  supporterDescription: Text,
  readerTitle: Text,
  readerDescription: Text,
  avidReaderTitle: Text,
  avidReaderDescription: Text,
  testimonialsTitle: Text,
  testimonialBlocks: Type.Array(Type.Object({ authorDescription: Text, authorName: Text, authorRole: Text })),
  giftTitle: Text,
  giftStep1Title: Text,
  giftStep1Description: Text,
  giftStep2Title: Text,
  giftStep2Description: Text,
  giftStep3Title: Text,
  giftStep3Description: Text,
})
export const listMembershipPages = endpoint({
  method: 'GET',
  path: '/api/membership_pages',
  summary: 'The membership page; its first member is used',
  access: 'public',
  part: 'membership',
  reply: collection(MembershipPage),
})
