import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState, Suspense, type ReactNode } from 'react'
import type { Static } from 'typebox'
import { PageHead } from '#app/page/PageHead.tsx'
import { ACCOUNT_MESSAGES } from '#contract/messages-account.ts'
import type { MembershipPage } from '#contract/pages.ts'
import { isJoined, type Plan, type PlanId } from '#contract/plans.ts'
import { ConfirmWithPassword } from '#features/account/ConfirmForms.tsx'
import { confirmAddress } from '#features/account/mutations.ts'
import { useNoPaymentsYet, useUnsoldCountry } from '#features/checkout/queries.ts'
import { benefits, hasBothRhythms, simplerChoice, offerOf } from '#features/membership/model.ts'
import { BillingToggle, PlanColumns } from '#features/membership/PlanColumns.tsx'
import { membershipPageQuery } from '#features/membership/queries.ts'
import { Prose } from '#features/pages/Prose.tsx'
import { faqQuery } from '#features/pages/queries.ts'
import { plans } from '#features/shop-details/plans.ts'
import { has, shop, trialOffer } from '#features/shop-details/shop.ts'
import { price, toMinor } from '#format/money.ts'
import { reloadUser, hasToken } from '#session/session.ts'
import { useOwesPayment, useSession, currentSession } from '#session/store.ts'
import { Accordion } from '#ui/Accordion.tsx'
import { useBand, Band } from '#ui/Band.tsx'
import { Display, ItalicWord } from '#ui/Display.tsx'
import { Flock } from '#ui/Flock.tsx'
import { HOUSE, type TitleTheme, titleTheme } from '#ui/title-theme.ts'
import { LinkButton, Button } from '#ui/Button.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { MoreLink } from '#routes/-layout/PageTop.tsx'
import { NoPaymentsYet, NotSoldHere } from '#routes/-layout/SaleNotes.tsx'
import type { User } from '#contract/account.ts'
import { lazyPart } from '#ui/lazy-part.tsx'
import { toast } from '#ui/toast.ts'
import { useConfirmLink } from '../../writes/use-confirm-link.ts'
import styles from './membership.module.css'

/** @param token of a confirmation link that leads here (MEMB-13) */
export function SubscriptionScreen({ token }: { token: string | undefined }) {
  return (
    <>
      {token && <ConfirmOnArrival token={token} />}
      <Plans />
    </>
  )
}

function Plans() {
  const { data: page } = useSuspenseQuery(membershipPageQuery())
  const { data: faq = [] } = useQuery(faqQuery())
  const asked = faq.find(({ name }) => name === 'Membership') ?? faq[0]
  if (!page) return <SimplerMembership />
  return <MembershipScreen page={page} theme={HOUSE} questions={asked?.faqsPublished ?? []} />
}

/** For a confirmation link that leads to the plans: says above them whether it worked (MEMB-13, ERR-17). */
function ConfirmOnArrival({ token }: { token: string }) {
  const { outcome, confirmWithPassword } = useConfirmLink(token, async (link, password) => {
    await confirmAddress(link, password)
    if (hasToken()) await reloadUser().catch(() => undefined)
  })
  return (
    <Wrap className={outcome && styles.said}>
      <p role="status">{outcome === 'confirmed' && 'Thank you. Your address is confirmed.'}</p>
      {outcome === 'ask' && <ConfirmWithPassword confirm={confirmWithPassword} />}
      {outcome === 'failed' && (
        <p role="alert">
          {ACCOUNT_MESSAGES.confirmationFailedOnMembership}{' '}
          <Link to="/info/$slug" params={{ slug: 'support' }}>
            Contact support
          </Link>
        </p>
      )}
    </Wrap>
  )
}

/** A short version for when the owner's page is not available: no connection, or no content (OP-34). */
export function SimplerMembership() {
  return (
    <Wrap as="section" className={styles.plansPage}>
      <PageHead title="Subscribe" description={benefits()[0] ?? null} canonical="/subscription" />
      <Display as="h1" size="lg">
        Subscribe
      </Display>
      <ul className={styles.benefits}>
        {benefits().map((benefit) => (
          <li key={benefit}>{benefit}</li>
        ))}
      </ul>
      <div className="row gap-4">
        {shop().plans &&
          Object.values(plans())
            .filter(isJoined)
            .map(({ id, type, priceMinor, yearly }) => (
              <LinkButton key={id} to="/payment" search={{ plan: id }} look="quiet">
                {`${type}: ${price(priceMinor)} a ${yearly ? 'year' : 'month'}`}
              </LinkButton>
            ))}
        {!shop().plans &&
          (['month', 'year'] as const).map((unit) => {
            const plan = simplerChoice(unit)
            return (
              plan && (
                <LinkButton key={unit} to="/payment" state={{ subscription: unit }} look="quiet">
                  {`${price(plans()[plan].priceMinor)} a ${unit}`}
                </LinkButton>
              )
            )
          })}
      </div>
      <p className={styles.more}>
        <Link to="/info/$slug" params={{ slug: 'support' }}>
          Support
        </Link>
        {has('journal') && <Link to="/murmurations">{shop().journal}</Link>}
      </p>
    </Wrap>
  )
}

interface MembershipScreenProps {
  page: Static<typeof MembershipPage>
  theme: TitleTheme
  questions: readonly { question: string; answer: string }[]
}

/** The plans, with the owner's texts. */
function MembershipScreen({ page, theme, questions }: MembershipScreenProps) {
  const signedIn = useSession((state) => state.status === 'user')
  const current = useSession((state) => state.user?.currentSubscription ?? undefined)
  const owes = useOwesPayment()
  const closed = useNoPaymentsYet()
  const unsold = useUnsoldCountry()
  const [chosen, setYearly] = useState<boolean>()
  // Start with the member's own billing period, so that "Your plan" is visible (MEMB-18).
  const yearly = chosen ?? Object.values(plans()).some(({ id, yearly: of }) => of && id === current?.plan)
  useBand(theme)
  return (
    <>
      <PageHead
        title={page.joinTitle.replace(/\.$/, '')}
        description={page.joinDescription}
        canonical="/subscription"
      />
      <Band theme={theme} as="div">
        <Wrap className={styles.plansTop}>
          <Flock className={styles.flock} />
          <Display as="h1" size="lg" className={styles.title}>
            <ItalicWord text={page.joinTitle} word={lastWord(page.joinTitle)} />
          </Display>
          <p className={styles.lead}>{page.joinDescription}</p>
        </Wrap>
      </Band>
      <Wrap as="section" className={styles.plans} aria-label="Plans">
        {hasBothRhythms() && <BillingToggle yearly={yearly} onChange={setYearly} />}
        <div className={styles.free}>
          <Display as="h2" size="sm">
            {page.freeTitle}
          </Display>
          <p>{page.freeDescription}</p>
          {signedIn
            ? !current && !owes && <span className={styles.yours}>Your plan</span>
            : !signedIn && <MoreLink to="/sign-up">Create an account</MoreLink>}
        </div>
        {unsold && !current && (
          <div className={styles.closed}>
            <NotSoldHere country={unsold}>
              Look around as long as you like: samples play on every book’s page.
            </NotSoldHere>
          </div>
        )}
        {closed && !unsold && (
          <div className={styles.closed}>
            <NoPaymentsYet>A code that covers a plan already works.</NoPaymentsYet>
          </div>
        )}
        <PlanColumns
          yearly={yearly}
          kept={
            current?.price === undefined
              ? undefined
              : { plan: current.plan, priceMinor: toMinor(current.price) }
          }
          words={{
            supporter: { title: page.supporterTitle, description: page.supporterDescription },
            reader: { title: page.readerTitle, description: page.readerDescription },
            avid: { title: page.avidReaderTitle, description: page.avidReaderDescription },
          }}
          action={(plan) =>
            unsold && !current ? null : (
              <PlanOffer plan={plan} current={current} closed={closed} owes={owes} />
            )
          }
        />
        <p className={styles.fine}>{page.subscriptionSubtitle}</p>
        {!current && !owes && !closed && !unsold && has('trial') && (
          <MoreLink to="/free-trial">{trialOffer()}</MoreLink>
        )}
      </Wrap>
      {page.testimonialBlocks.length > 0 && (
        <Testimonials title={page.testimonialsTitle} voices={page.testimonialBlocks} />
      )}
      {has('membershipGifts') && (
        <GiftSteps
          title={page.giftTitle}
          steps={[
            [page.giftStep1Title, page.giftStep1Description],
            [page.giftStep2Title, page.giftStep2Description],
            [page.giftStep3Title, page.giftStep3Description],
          ]}
          action={
            !unsold && (
              <LinkButton to="/gift" tone="title">
                Give a membership
              </LinkButton>
            )
          }
        />
      )}
      {questions.length > 0 && (
        <Wrap as="section" className={styles.asked} aria-labelledby="asked">
          <div>
            <Display as="h2" size="md" id="asked">
              Asked at the counter
            </Display>
            <p className={styles.else}>
              Something else?{' '}
              <Link to="/info/$slug" params={{ slug: 'support' }}>
                Write to us
              </Link>
            </p>
          </div>
          <Accordion
            level="h3"
            items={questions.map(({ question, answer }) => ({
              value: question,
              title: question,
              content: <Prose html={answer} />,
            }))}
          />
        </Wrap>
      )}
    </>
  )
}

const lastWord = (text: string) => /([^\s.]+)\.?$/.exec(text)?.[1]

interface PlanOfferProps {
  plan: Plan
  current: NonNullable<User['currentSubscription']> | undefined
  /** The shop has no payment keys yet: only a code can cover the price. */
  closed?: boolean
  /** The member has a failed payment that is still due, and can't join a plan before paying it (ERR-02). */
  owes?: boolean
}

const loadChange = () => import('#features/membership/ChangePlan.tsx')
const ChangePlan = lazyPart(loadChange, 'ChangePlan')

/** A plan's button for the current user (MEMB-14 to MEMB-20). */
export function PlanOffer({ plan, current, closed = false, owes = false }: PlanOfferProps) {
  const navigate = useNavigate()
  const [asked, setAsked] = useState(false)
  // A gift membership can't be changed, in any column.
  const isOwn = current?.gift === true && tierOf(current.plan) === plan.tier
  const offer = isOwn ? 'Your plan' : offerOf(plan, current?.plan)
  if (!current && owes)
    return (
      <LinkButton
        to="/subscription-details"
        look="quiet"
        aria-label={`Settle your last payment to choose ${plan.type}`}
      >
        Settle your last payment
      </LinkButton>
    )
  if (!current)
    return (
      <LinkButton
        to="/payment"
        search={{ plan: plan.id }}
        look={plan.tier === 'avid' && !closed ? 'beak' : 'quiet'}
        aria-label={`${closed ? HAS_CODE : 'Get plan'}, ${plan.type}`}
      >
        {closed ? HAS_CODE : offer}
      </LinkButton>
    )
  if (offer === 'Your plan')
    return (
      <div className={styles.current}>
        <p>Your plan</p>
        <LinkButton to="/subscription-details" look="quiet">
          Manage
        </LinkButton>
      </div>
    )
  if (current.gift) return <p className={styles.after}>For when your gift has ended</p>
  const label = offer.startsWith('Switch') ? `${plan.type}: ${offer}` : `${offer} to ${plan.type}`
  // Both resuming and paying are done on the details page.
  if (current.canceledAt !== null || current.status === 'past_due')
    return (
      <LinkButton to="/subscription-details" look="quiet" aria-label={label}>
        {offer}
      </LinkButton>
    )
  const changed = async (words: string) => {
    toast(words)
    await reloadUser().catch(() => undefined)
    await navigate({ to: '/subscription-details' })
  }
  return (
    <>
      <Button
        look="quiet"
        aria-label={label}
        onPointerEnter={() => void loadChange()}
        onFocus={() => void loadChange()}
        onClick={() => setAsked(true)}
      >
        {offer}
      </Button>
      {asked && (
        <Suspense>
          <ChangePlan
            owner={currentSession().owner?.uuid ?? ''}
            membership={{ id: current.id, plan: planIdOf(current.plan), price: current.price }}
            wanted={plan.id}
            onClose={() => setAsked(false)}
            onChanged={(words) => void changed(words)}
          />
        </Suspense>
      )}
    </>
  )
}

const HAS_CODE = 'I have a code'
const tierOf = (plan: number) => plans()[planIdOf(plan)].tier
const planIdOf = (plan: number): PlanId => Object.values(plans()).find(({ id }) => id === plan)?.id ?? 4

interface TestimonialsProps {
  title: string
  voices: readonly { authorDescription: string; authorName: string; authorRole: string }[]
}

/** Shows the first three (MEMB-10). */
function Testimonials({ title, voices }: TestimonialsProps) {
  return (
    <section className={styles.section} aria-labelledby="voices">
      <Wrap>
        <Display as="h2" size="md" id="voices">
          {title}
        </Display>
        <div className={styles.voices}>
          {voices.slice(0, 3).map(({ authorDescription, authorName, authorRole }) => (
            <figure key={authorName}>
              <blockquote>{authorDescription}</blockquote>
              <figcaption>
                <b>{authorName}</b>
                {authorRole}
              </figcaption>
            </figure>
          ))}
        </div>
      </Wrap>
    </section>
  )
}

interface GiftStepsProps {
  title: string
  /** Three steps (MEMB-11). */
  steps: readonly (readonly [title: string, words: string])[]
  action: ReactNode
}

const ROSE = titleTheme('F0C9BE', 'E8B9AB', '3A1C2B')

function GiftSteps({ title, steps, action }: GiftStepsProps) {
  return (
    <Band theme={ROSE} as="div">
      <Wrap as="section" aria-labelledby="gift" className={styles.gift}>
        <Display as="h2" size="lg" id="gift">
          {title}
        </Display>
        <ol role="list" className={styles.steps}>
          {steps.map(([step, words], index) => (
            <li key={step}>
              <b aria-hidden="true">{index + 1}</b>
              <h3>{step}</h3>
              <p>{words}</p>
            </li>
          ))}
        </ol>
        <div>{action}</div>
      </Wrap>
    </Band>
  )
}
