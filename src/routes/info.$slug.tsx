import { useSuspenseQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { createFileRoute, Link, notFound, redirect } from '@tanstack/react-router'
import { PageHead } from '#app/page/PageHead.tsx'
import {
  CardSum,
  DrawnCard,
  loadCardSum,
  STARTER_PACK_OFFER,
  useCardCount,
  useExampleCard,
} from '#features/cards/DrawnCard.tsx'
import { themeOf } from '#features/catalogue/model.ts'
import { firstWords } from '#contract/calculations/plain-text.ts'
import { Prose } from '#features/pages/Prose.tsx'
import { infoPageQuery } from '#features/pages/queries.ts'
import { leadsSomewhere } from '#features/shop-details/shop.ts'
import { Band, useBand } from '#ui/Band.tsx'
import { buttonClass, LinkButton } from '#ui/Button.tsx'
import { cx } from '#ui/cx.ts'
import { Display } from '#ui/Display.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import styles from './-layout/layout.module.css'
import drawn from './-outlets/reseller.module.css'
import { PageTop } from './-layout/PageTop.tsx'

export const Route = createFileRoute('/info/$slug')({
  beforeLoad: ({ params }) => {
    if (params.slug === 'contact-support')
      throw redirect({ to: '/info/$slug', params: { slug: 'support' }, statusCode: 301 })
  },
  loader: async ({ context: { queryClient }, params: { slug } }) => {
    if (slug === CARDS) await loadCardSum(queryClient)
    if ((await queryClient.ensureQueryData(infoPageQuery(slug))) === null) throw notFound()
  },
  component: () => <InfoScreen slug={Route.useParams().slug} />,
})

/** The owner's page about cards, with one of them drawn above the text. */
const CARDS = 'audiobook-in-a-card'

function InfoScreen({ slug }: { slug: string }) {
  const { data: page } = useSuspenseQuery(infoPageQuery(slug))
  if (!page) return null
  if (slug === CARDS) return <CardsScreen title={page.title} content={page.content} />
  return (
    <Wrap className={styles.page}>
      <PageHead title={page.title} description={firstWords(page.content)} canonical={`/info/${slug}`} />
      <PageTop title={page.title} />
      <div className={styles.body}>
        <Prose html={page.content} />
      </div>
    </Wrap>
  )
}

function CardsScreen({ title, content }: { title: string; content: string }) {
  const card = useExampleCard()
  const count = useCardCount()
  const theme = useMemo(() => (card ? themeOf(card) : undefined), [card])
  useBand(theme ?? null)
  const forShops = lastSectionOf(content)
  const [pitch, terms] = cutAtList(forShops)
  return (
    <>
      <PageHead title={title} description={firstWords(content)} canonical={`/info/${CARDS}`} />
      {card && theme ? (
        <Band theme={theme} as="div">
          <Wrap className={drawn.top}>
            <div>
              <Display as="h1" size="lg">
                {title}
              </Display>
              <p className={drawn.lead}>
                The cover on the front, a code on the back, and room inside for a few words in ink. It costs
                what the audiobook costs.
              </p>
              <p className={drawn.ways}>
                <Link
                  to="/audiobooks-in-a-card"
                  className={buttonClass({ look: 'solid', tone: 'title', tall: true })}
                >
                  {count && count > 1 ? `See all ${count} cards` : 'See all cards'}
                </Link>
                <Link
                  to="/redemption/{-$spisin}/{-$step}"
                  className={buttonClass({ look: 'text', tone: 'title' })}
                >
                  I’ve been given one
                </Link>
              </p>
            </div>
            <DrawnCard book={card} />
          </Wrap>
        </Band>
      ) : (
        <Wrap>
          <PageTop title={title} />
        </Wrap>
      )}
      <Wrap className={styles.page}>
        {forShops === '' ? (
          <div className={styles.body}>
            <Prose html={content} />
          </div>
        ) : (
          <div className={cx(styles.body, drawn.text)}>
            <Prose html={content.slice(0, -forShops.length)} />
            <div className={drawn.forShops}>
              <div className={drawn.pitch}>
                <div>
                  <Prose html={pitch} />
                  {leadsSomewhere('/reseller') && (
                    <>
                      <p className={drawn.ways}>
                        <LinkButton to="/reseller" look="beak" tall>
                          Ask for a starter pack
                        </LinkButton>
                        <LinkButton to="/reseller" hash="log-in" look="text">
                          Bookshop log in
                        </LinkButton>
                      </p>
                      <p className={cx('quiet', drawn.packNote)}>{STARTER_PACK_OFFER}</p>
                    </>
                  )}
                </div>
                {card && <CardSum book={card} />}
              </div>
              <Prose html={terms} />
            </div>
          </div>
        )}
      </Wrap>
    </>
  )
}

/** Cuts a section before its first list or smaller heading. */
function cutAtList(html: string): [before: string, rest: string] {
  const at = html.search(/<(?:ul|ol|h3)/)
  return at < 0 ? [html, ''] : [html.slice(0, at), html.slice(at)]
}

/** The last of several sections; empty if there is only one. */
function lastSectionOf(html: string): string {
  const first = html.indexOf('<h2')
  const last = html.lastIndexOf('<h2')
  return first === last ? '' : html.slice(last)
}
