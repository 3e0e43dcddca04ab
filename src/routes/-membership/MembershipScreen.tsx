import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Static } from 'typebox'
import type { MembershipPage } from '#contract/pages.ts'
import { useNoPaymentsYet, useUnsoldCountry } from '#features/checkout/payment-settings.ts'
import { BillingToggle } from '#features/membership/BillingToggle.tsx'
import { GiftSteps } from '#features/membership/GiftSteps.tsx'
import { hasBothRhythms } from '#features/membership/model.ts'
import { PaymentFailedNotice } from '#features/membership/PaymentFailed.tsx'
import { PlanColumns } from '#features/membership/PlanColumns.tsx'
import { Testimonials } from '#features/membership/Testimonials.tsx'
import { Prose } from '#features/pages/Prose.tsx'
import { plans } from '#features/shop-details/plans.ts'
import { toMinor } from '#format/money.ts'
import { has, trialOffer } from '#features/shop-details/shop.ts'
import { useOwesPayment, useSession } from '#session/store.ts'
import { Accordion } from '#ui/Accordion.tsx'
import { Band } from '#ui/Band.tsx'
import { useBand } from '#ui/band.ts'
import { Display, ItalicWord } from '#ui/Display.tsx'
import { Flock } from '#ui/Flock.tsx'
import { LinkButton } from '#ui/Button.tsx'
import type { TitleTheme } from '#ui/title-theme.ts'
import { Wrap } from '#ui/Wrap.tsx'
import { PageHead } from '#app/page/PageHead.tsx'
import styles from './plans.module.css'
import { MoreLink } from '#routes/-layout/PageTop.tsx'
import { NoPaymentsYet, NotSoldHere } from '#routes/-layout/SaleNotes.tsx'
import { PlanOffer } from './PlanOffer.tsx'

interface MembershipScreenProps {
  page: Static<typeof MembershipPage>
  theme: TitleTheme
  questions: readonly { question: string; answer: string }[]
}

/** The plans, and what the owner says about them. */
export function MembershipScreen({ page, theme, questions }: MembershipScreenProps) {
  const signedIn = useSession((state) => state.status === 'user')
  const current = useSession((state) => state.user?.currentSubscription ?? undefined)
  const owes = useOwesPayment()
  const closed = useNoPaymentsYet()
  const unsold = useUnsoldCountry()
  const [chosen, setYearly] = useState<boolean>()
  // A member's own rhythm first, so that "Your plan" is theirs (MEMB-18).
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
        <Wrap className={styles.top}>
          <Flock className={styles.flock} />
          <Display as="h1" size="lg" className={styles.title}>
            <ItalicWord text={page.joinTitle} word={lastWord(page.joinTitle)} />
          </Display>
          <p className={styles.lead}>{page.joinDescription}</p>
        </Wrap>
      </Band>
      <Wrap as="section" className={styles.plans} aria-label="Plans">
        <PaymentFailedNotice className={styles.owed} />
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
            <NoPaymentsYet>A code that covers a plan works already.</NoPaymentsYet>
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

/** Of a headline without its full stop. */
const lastWord = (text: string) => /([^\s.]+)\.?$/.exec(text)?.[1]
