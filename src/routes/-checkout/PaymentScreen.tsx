import { useIsMutating, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter, useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { PageHead } from '#app/page/PageHead.tsx'
import { NotFound } from '#app/problems/NotFound.tsx'
import type { Cart } from '#contract/bag.ts'
import { bagQuery } from '#features/bag/queries.ts'
import { useBagHolder, useIsJoining } from '#features/bag/store.ts'
import type { CheckoutSearch } from '#features/checkout/addresses.ts'
import { AddMembership, planForBag } from '#features/checkout/AddMembership.tsx'
import { bagPurchase, bagWithMembership } from '#features/checkout/purchases.ts'
import { isPayingDocument, useStripe } from '#features/checkout/stripe.ts'
import { useCheckoutOpening } from '#features/checkout/use-checkout-opening.ts'
import { CODE_KEY } from '#features/discounts/codes.ts'
import { giftsReady, useGifts } from '#features/gifts/address-check.ts'
import { simplerChoice } from '#features/membership/model.ts'
import { has } from '#features/shop-details/shop.ts'
import { toMinor } from '#format/money.ts'
import { useSession } from '#session/store.ts'
import { Button } from '#ui/Button.tsx'
import { Display } from '#ui/Display.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import styles from './checkout.module.css'
import { BankCheck } from './BankCheck.tsx'
import { Checkout, LostCode } from './Checkout.tsx'
import { NewCardCheckout } from './NewCardCheckout.tsx'
import { NobodyKnows } from './PaymentProblem.tsx'
import { PlanCheckout } from './PlanCheckout.tsx'
import { BagSummary } from './summaries.tsx'

/** The checkout: for a plan, for a new card for a membership, else for the bag (PAY-41). */
export function PaymentScreen({ search }: { search: CheckoutSearch }) {
  const chosen = useRouterState({ select: ({ location }) => location.state.subscription })
  const plan = search.plan ?? (chosen && simplerChoice(chosen))
  if (search.authenticate) return <BankCheck back={search.authenticate} />
  if (search.subscription)
    return <NewCardCheckout subscription={search.subscription} confirm={search.confirm !== undefined} />
  if (!plan) return <BagCheckout joins={search.join !== undefined} />
  return has(partOf(search.gift)) ? <PlanCheckout plan={plan} gift={search.gift} /> : <NotFound />
}

/** The feature flag of this kind of purchase. */
const partOf = (gift: CheckoutSearch['gift']) =>
  gift === 'xmas' ? 'christmas' : gift ? 'membershipGifts' : 'membership'

/** The checkout for a bag (PAY-01). If the bag is empty, it leads home (PAY-05). */
function BagCheckout({ joins }: { joins: boolean }) {
  const router = useRouter()
  const queryClient = useQueryClient()
  const holder = useBagHolder()
  const ready = useSession((state) => state.ready)
  const query = useQuery(bagQuery(holder))
  const joining = useIsJoining()
  const opening = useCheckoutOpening()
  const opened = opening.is === 'open'
  const provider = useStripe()
  const discounting = useIsMutating({ mutationKey: CODE_KEY }) > 0
  const checks = useGifts((state) => state.checks)
  /**
   * The bag at the start of a payment: the form and the card's fields must not change while it runs, even if
   * the owner of the bag does.
   */
  const [held, setHeld] = useState<Cart>()
  const known = holder.kind === 'nobody' || (query.data !== undefined && !query.isFetching)
  const empty = ready && !joining && known && (query.data?.itemCount ?? 0) === 0

  useEffect(() => {
    // An empty bag that was just paid leads to its order, not home.
    if (empty && opened && !held) void router.navigate({ to: '/', replace: true })
  }, [empty, opened, held, router])

  // Never pay for this device's copy of the bag: it has no confirmed prices.
  const isCopy = query.data?.checkedAt !== undefined
  const cart = held ?? (isCopy ? undefined : query.data)
  if (opening.is === 'silent') return <NobodyKnows onAskAgain={opening.askAgain} />
  const offered = cart && planForBag(cart)
  const plan = (joins && offered) || undefined
  const ofBag = cart && bagPurchase(queryClient, cart, blockedBy(cart, discounting, checks))
  const mayPay = opened && !joining && (isPayingDocument() || provider.failed)
  return (
    <Wrap className={styles.checkout}>
      <PageHead title="Checkout" hidden />
      {cart && ofBag && cart.itemCount > 0 && (held || mayPay) ? (
        <Checkout
          purchase={plan ? bagWithMembership(ofBag, cart, plan.id) : ofBag}
          provider={provider}
          notice={
            <>
              {opening.lostCode && !cart.discount && (
                <LostCode lost={opening.lostCode} totalMinor={toMinor(cart.sumCheckedForPayment)} />
              )}
              {offered && (
                <div className={styles.join} inert={held !== undefined}>
                  <AddMembership
                    cart={cart}
                    plan={offered}
                    checked={joins}
                    onChange={(on) =>
                      void router.navigate({
                        to: '/payment',
                        search: on ? { join: 1 } : {},
                        replace: true,
                      })
                    }
                  />
                </div>
              )}
            </>
          }
          summary={<BagSummary cart={cart} joins={plan} />}
          onPaying={(paying) => setHeld(paying ? cart : undefined)}
        />
      ) : (
        <>
          <Display as="h1" size="lg">
            Checkout
          </Display>
          {query.isError || isCopy ? (
            <div className={styles.unreachable}>
              <p>We can’t load your bag just now. Nothing in it is lost, and nothing was charged.</p>
              <Button look="solid" busy={query.isFetching} onClick={() => void query.refetch()}>
                Try again
              </Button>
            </div>
          ) : (
            <div aria-busy="true" />
          )}
        </>
      )}
    </Wrap>
  )
}

function blockedBy(
  cart: Cart,
  discounting: boolean,
  checks: Parameters<typeof giftsReady>[1],
): string | undefined {
  if (discounting) return 'We’re checking your discount code.'
  return giftsReady(cart.items, checks) ? undefined : 'A gift in your bag still needs an email address.'
}
