import { CreditCardIcon } from '@phosphor-icons/react/dist/csr/CreditCard'
import { ReceiptIcon } from '@phosphor-icons/react/dist/csr/Receipt'
import { useState } from 'react'
import type { Static } from 'typebox'
import type { listInvoices, SubscriptionDetails } from '#contract/membership.ts'
import { methodInWords } from '#features/membership/method.ts'
import { canUpdatePayment } from '#features/membership/model.ts'
import { Row, Rows } from '#features/membership/Row.tsx'
import { longDate } from '#format/date.ts'
import { amount, toMinor } from '#format/money.ts'
import { Button, LinkButton } from '#ui/Button.tsx'
import { Display } from '#ui/Display.tsx'
import styles from './details.module.css'

export type Invoices = Static<typeof listInvoices.reply>['invoices']

/** Beyond these the rest is one press away. */
const SHOWN = 3

/** The method of payment, and past payments: each charge is an order with its receipt. */
export function MembershipPayments({
  details,
  invoices,
}: {
  details: SubscriptionDetails
  invoices: Invoices
}) {
  const [all, setAll] = useState(false)
  const { subscription } = details
  if (!subscription.payment && invoices.length === 0) return null
  return (
    <section aria-labelledby="payments">
      <Display as="h2" size="md" id="payments" className={styles.heading}>
        Payments
      </Display>
      <Rows>
        {subscription.payment && (
          <Row
            icon={CreditCardIcon}
            title={methodInWords(subscription)}
            words={subscription.canceledAt ? 'Nothing more is charged.' : 'For every payment to come'}
          >
            <UpdatePayment details={details} look="text" words="Update payment" />
          </Row>
        )}
        {(all ? invoices : invoices.slice(0, SHOWN)).map(({ order, at, ...charge }) => (
          <Row
            key={order}
            icon={ReceiptIcon}
            title={`${amount(toMinor(charge.amount))}, ${stateOfCharge(charge)}`}
            words={longDate(at)}
          >
            <LinkButton
              to="/orders/$id"
              params={{ id: order }}
              look="text"
              aria-label={`Invoice of ${longDate(at)}`}
            >
              Invoice
            </LinkButton>
          </Row>
        ))}
      </Rows>
      {!all && invoices.length > SHOWN && (
        <Button look="text" onClick={() => setAll(true)}>
          All {invoices.length} invoices
        </Button>
      )}
    </section>
  )
}

function stateOfCharge({
  amount: paid,
  refunded,
  disputed,
}: Pick<Invoices[number], 'amount' | 'refunded' | 'disputed'>): string {
  if (disputed) return 'your bank is looking into it'
  if (refunded === 0) return 'paid'
  return refunded < paid ? `${amount(toMinor(refunded))} paid back` : 'paid back'
}

interface UpdatePaymentProps {
  details: SubscriptionDetails
  look: 'beak' | 'text'
  words: string
}

/** To the checkout, with the new card (PAY-24); its address survives a reload (OP-10). */
export const UpdatePayment = ({ details, look, words }: UpdatePaymentProps) =>
  canUpdatePayment(details) && (
    <LinkButton
      to="/payment"
      search={{ 'update-card': 1, subscription: details.subscription.id }}
      look={look}
    >
      {words}
    </LinkButton>
  )
