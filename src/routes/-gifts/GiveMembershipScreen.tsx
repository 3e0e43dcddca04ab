import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useId, useState } from 'react'
import { PageHead } from '#app/page/PageHead.tsx'
import { useNoPaymentsYet, useUnsoldCountry } from '#features/checkout/queries.ts'
import { currentGiftProblems, GIFT_FIELDS, useGiftDraft } from '#features/gifts/draft.ts'
import { GiftCard } from '#features/gifts/GiftCard.tsx'
import { givenPlan, type Occasion } from '#features/gifts/occasions.ts'
import { PlanTiles, GiftSection, RecipientFields } from '#features/gifts/MembershipGiftFields.tsx'
import { plans } from '#features/shop-details/plans.ts'
import { isOpen } from '#features/shop-details/shop.ts'
import { amount } from '#format/money.ts'
import { useSession } from '#session/store.ts'
import { Button, LinkButton } from '#ui/Button.tsx'
import { Checkbox } from '#ui/Checkbox.tsx'
import { Display } from '#ui/Display.tsx'
import { useNow } from '#ui/use-now.ts'
import { Wrap } from '#ui/Wrap.tsx'
import { NoPaymentsYet, NotSoldHere } from '#routes/-layout/SaleNotes.tsx'
import styles from './gifts.module.css'

interface GiveMembershipScreenProps {
  occasion: Occasion
  plan?: string | undefined
}

export function GiveMembershipScreen({ occasion, plan: asked }: GiveMembershipScreenProps) {
  const navigate = useNavigate()
  const plan = givenPlan(asked, occasion)
  const now = useNow()
  const { firstName, message } = useGiftDraft()
  const giver = useSession((state) => state.owner?.firstName)
  const [gift, setGift] = useState(true)
  const [tried, setTried] = useState(false)
  const id = useId()
  const christmas = occasion === 'xmas'
  const closed = useNoPaymentsYet()
  const unsold = useUnsoldCountry()
  const recipient = firstName.trim()
  const sixMonths = plans()[plan].months === 6

  const goOn = async (event: FormEvent) => {
    event.preventDefault()
    const problems = currentGiftProblems(occasion, now)
    const first = gift && GIFT_FIELDS.find((field) => problems[field])
    if (first) {
      setTried(true)
      document.getElementById(`${id}-${first}`)?.focus()
    } else await navigate({ to: '/payment', search: { plan, ...(gift && { gift: occasion }) } })
  }
  return (
    <Wrap className={styles.page}>
      <PageHead {...HEADS[occasion]} />
      <div className={styles.head}>
        <Display as="h1" size="lg">
          {christmas ? (
            <>
              A Christmas that <i>lasts</i>
            </>
          ) : (
            <>
              Give someone a year of <i>evenings</i>
            </>
          )}
        </Display>
        <p className={styles.lead}>
          {christmas
            ? 'Arrives at 8 a.m. on the day you choose.'
            : 'They choose the books. It begins the day they say yes, not the day you pay.'}
        </p>
      </div>
      {unsold ? (
        <NotSoldHere country={unsold}>Look around as long as you like.</NotSoldHere>
      ) : (
        <form className={styles.form} noValidate onSubmit={(event) => void goOn(event)}>
          <div className={styles.fields}>
            <GiftSection title="1. The membership">
              <PlanTiles
                occasion={occasion}
                chosen={plan}
                onChoose={(next) =>
                  void navigate({
                    to: christmas ? '/xmas' : '/gift',
                    search: { plan: String(next) },
                    replace: true,
                    resetScroll: false,
                  })
                }
              />
              <Checkbox
                label="Send as a gift"
                checked={gift}
                onChange={(event) => setGift(event.target.checked)}
              />
            </GiftSection>
            {gift && (
              <RecipientFields
                occasion={occasion}
                from={2}
                tried={tried}
                nowMs={now}
                id={id}
                chooseDay={
                  isOpen('/xmas') && (
                    <LinkButton
                      to="/xmas"
                      search={{ plan: givenPlan(plan, 'xmas') === plan ? String(plan) : undefined }}
                      look="text"
                    >
                      Or choose a day over Christmas
                    </LinkButton>
                  )
                }
              />
            )}
          </div>
          {gift && (
            <section className={styles.picture} aria-labelledby={`${id}-picture`}>
              <h2 id={`${id}-picture`}>What {recipient || 'they'} will open</h2>
              <GiftCard
                plan={plan}
                occasion={occasion}
                recipient={recipient}
                giver={giver ?? 'you'}
                message={message}
              />
            </section>
          )}
          <div className={styles.pay}>
            {closed && (
              <NoPaymentsYet>With a code that covers it, you can already send a gift.</NoPaymentsYet>
            )}
            <p className={styles.sum}>
              <span>
                {gift
                  ? 'One payment. Nothing renews.'
                  : `Renews ${plans()[plan].monthly ? 'each month' : 'each year'}`}
              </span>
              <b>{amount(plans()[plan].priceMinor)}</b>
            </p>
            <Button
              type="submit"
              look="beak"
              tall
              disabledReason={!gift && sixMonths ? 'Six months are only sold as a gift.' : undefined}
            >
              {closed ? 'I have a code' : 'Continue to payment'}
            </Button>
            {gift && (
              <p>
                {recipient ? `${recipient} has` : 'They have'} 24 months to open it. We’ll remind you both
                before then; after that it lapses.
              </p>
            )}
          </div>
        </form>
      )}
    </Wrap>
  )
}

const HEADS: Record<Occasion, { title: string; description: string; canonical: string }> = {
  gift: {
    title: 'Give someone a year of evenings',
    description: 'Give someone a membership: they choose the books, and it begins the day they say yes.',
    canonical: '/gift',
  },
  xmas: {
    title: 'A Christmas that lasts',
    description: 'Give a membership for Christmas: it arrives at 8 a.m. on the day you choose.',
    canonical: '/xmas',
  },
}
