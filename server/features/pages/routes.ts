import * as contract from '#contract/pages.ts'
import { addressKey, countOrRefuse } from '../../rate-limiting/rate-limit.ts'
import { hydraList } from '#contract/calculations/hydra-list.ts'
import { queueUnasked } from '../../rate-limiting/unrequested-mail.ts'
import { queueMail } from '../../integrations/mail/queue.ts'
import { notFound } from '../../http/http-errors.ts'
import { serve, type ApiServer } from '../../http/serve.ts'
import type { Shop } from '../../shop.ts'
import {
  NEWSLETTER_CONFIRMATIONS,
  NEWSLETTERS,
  membershipTexts,
  type MembershipTexts,
  settingsOf,
} from './service.ts'
import {
  confirmSubscriber,
  insertSubscriber,
  selectFaqCategories,
  selectInfoPage,
  selectRecord,
  unsubscribe,
} from './queries.ts'

export function registerInfoPages(server: ApiServer): void {
  const { shop } = server
  const { db } = shop

  serve(server, contract.getInfoPage, async ({ params }) => {
    const page = await infoPage(shop, params.slug)
    if (!page) throw notFound()
    return page
  })
  serve(server, contract.listFaqCategories, ({ url }) => faqList(shop, url))
  serve(server, contract.subscribeNewsletter, async ({ body, request }) => {
    await countOrRefuse(db, NEWSLETTERS, addressKey(request.ip), shop.now())
    await subscribe(shop, body.email)
    return {
      '@context': '/api/contexts/Newsletter',
      '@id': '/api/newsletters',
      '@type': 'Newsletter' as const,
      email: body.email,
    }
  })
  serve(server, contract.unsubscribeNewsletter, async ({ params }) => {
    await unsubscribe(db, params.token)
    return undefined
  })
  serve(server, contract.confirmNewsletter, async ({ params, request }) => {
    await countOrRefuse(db, NEWSLETTER_CONFIRMATIONS, addressKey(request.ip), shop.now())
    await confirm(shop, params.token)
    return undefined
  })
  takeOneClick(server)
  serve(server, contract.getSetting, async ({ params }) => {
    // Setting 1 is the shop's only record (ENT-23); it can be requested by number or by name.
    if (params.name !== '1' && params.name !== 'requiredPurchaserEmail') throw notFound()
    return {
      '@context': '/api/contexts/Setting',
      '@id': '/api/settings/1',
      '@type': 'Setting' as const,
      name: 'requiredPurchaserEmail',
      ...(await settingsOf(db, shop.config)),
    }
  })
  serve(server, contract.listMembershipPages, async ({ url }) => {
    const own = await selectRecord<Partial<MembershipTexts>>(db, 'membership')
    const texts = membershipTexts(own, shop.config.details)
    const members = [{ '@id': '/api/membership_pages/1', '@type': 'MembershipPage' as const, ...texts }]
    return hydraList({
      type: 'MembershipPage',
      url,
      members,
      total: members.length,
      page: 1,
      itemsPerPage: 30,
    })
  })
}

export async function infoPage({ db, config }: Pick<Shop, 'db' | 'config'>, slug: string) {
  const page = await selectInfoPage(db, slug, config.details.without)
  return (
    page && {
      '@context': '/api/contexts/InfoPage',
      '@id': `/api/info_pages/${page.slug}`,
      '@type': 'InfoPage' as const,
      ...page,
    }
  )
}

export async function faqList({ db, config }: Pick<Shop, 'db' | 'config'>, url: string) {
  const { without } = config.details
  const members = (await selectFaqCategories(db, without))
    // Hide a category if all its questions belong to parts that the shop has turned off.
    .filter(({ faqs }) => faqs.length > 0 || without.length === 0)
    .map(({ id, name, faqs }) => ({
      '@id': `/api/f_a_q_categories/${id}`,
      '@type': 'FAQCategory' as const,
      name,
      faqsPublished: faqs,
    }))
  return hydraList({ type: 'FAQCategory', url, members, total: members.length, page: 1, itemsPerPage: 100 })
}

/** Double opt-in: a stranger may have typed the address. Sends the confirmation email at most once a day. */
async function subscribe({ db, now }: ApiServer['shop'], email: string): Promise<void> {
  await db.transaction(async (tx) => {
    const token = await insertSubscriber(tx, email)
    if (token)
      await queueUnasked(
        tx,
        {
          to: email,
          kind: 'newsletter_confirm',
          key: `newsletter_confirm:${token}:${now().toISOString().slice(0, 10)}`,
          data: { token },
        },
        now(),
      )
  })
}

async function confirm({ db, now }: ApiServer['shop'], token: string): Promise<void> {
  await db.transaction(async (tx) => {
    const to = await confirmSubscriber(tx, token, now())
    if (to)
      await queueMail(tx, {
        to,
        kind: 'newsletter_welcome',
        key: `newsletter_welcome:${token}`,
        data: { token },
      })
  })
}

/** One-click unsubscribe (RFC 8058): mail programs POST to this address. A browser that GETs it opens the page. */
function takeOneClick({ app, shop }: ApiServer): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, _body, done) => done(null, null))
    scope.post('/newsletter/unsubscribe/:token', async (request, reply) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked against the schema of its route before
      const { token } = request.params as { token: string }
      if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(token)) throw notFound()
      await unsubscribe(shop.db, token)
      return reply.code(204).send()
    })
  })
}
