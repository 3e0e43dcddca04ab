import type { Stripe, StripeCardNumberElement } from '@stripe/stripe-js'
import { useEffect, useState } from 'react'
import { reloadPage, tabStorage } from '#storage/page-storage.ts'
import { openProvider } from './stripe-js.ts'

interface StripeInUse {
  readonly stripe: Stripe | null
  readonly failed: boolean
  readonly retry: () => void
}

/**
 * The payment provider for a screen that pays. The screen's loader has the document loaded again where it must be
 * (`enterPayingDocument`), before anything can be typed.
 */
export function useStripe(): StripeInUse {
  const [stripe, setStripe] = useState<Stripe | null>(null)
  const [failed, setFailed] = useState(false)
  const [tries, setTries] = useState(0)

  useEffect(() => {
    let gone = false
    const open = async () => {
      await enterPayingDocument()
      if (!isPayingDocument()) throw new Error('This document lets no payment provider in.')
      return openProvider()
    }
    open().then(
      (opened) => !gone && setStripe(opened),
      () => !gone && setFailed(true),
    )
    return () => {
      gone = true
    }
  }, [tries])

  const retry = () => {
    forgetReload()
    setFailed(false)
    setTries((count) => count + 1)
  }
  return { stripe, failed, retry }
}

/** Twice in this time means that the document cannot be had: offline, the worker's shell stands in for it. */
const RELOAD_MS = 15_000
const ASKED = 'payingDocumentAsked'

/**
 * True if this document lets the payment provider's script and frames in. Only one that was opened at the payment
 * page does: the policy is the document's, and stays through every screen that follows without a reload.
 */
export const isPayingDocument = (): boolean => document.querySelector('meta[name="payments"]') !== null

/**
 * Loads the document again where it must be, at the address that is being gone to and with its history state; the
 * screen that stands stays until then. Returns where there is nothing to wait for: it is one already, or cannot be had.
 */
export async function enterPayingDocument(): Promise<void> {
  // It came, so whoever goes back and comes again is not kept waiting for the next one.
  if (isPayingDocument()) return forgetReload()
  if (!mayReload()) return
  // The router writes the address into the history a moment after it begins to load the screen.
  await new Promise((resolve) => setTimeout(resolve))
  reloadPage()
  await new Promise(() => undefined)
}

/** A buyer who presses Try again means it. */
export const forgetReload = (): void => tabStorage.removeItem(ASKED)

function mayReload(): boolean {
  const last = Number(tabStorage.getItem(ASKED) ?? 0)
  if (Date.now() - last < RELOAD_MS) return false
  tabStorage.setItem(ASKED, String(Date.now()))
  return true
}

interface Confirmation {
  readonly method: 'card' | 'paypal'
  readonly secret: string
  readonly returnUrl: string
  readonly card: StripeCardNumberElement | undefined
  /** As it stands on the card. */
  readonly name: string
}

/**
 * Pays at the provider: a card here, with its 3-D Secure dialog above this page; PayPal on its own page, which this
 * one leaves for. `failed` is the provider's word only (see `payFor`).
 */
export async function confirmPayment(
  stripe: Stripe | null,
  { method, secret, returnUrl, card, name }: Confirmation,
): Promise<'done' | 'failed'> {
  if (!stripe) return 'failed'
  if (method === 'paypal') {
    // PAY-22: what is kept for later is set up, with the same way back.
    const { error } = isSetup(secret)
      ? await stripe.confirmPayPalSetup(secret, { return_url: returnUrl })
      : await stripe.confirmPayPalPayment(secret, { return_url: returnUrl })
    return error ? 'failed' : 'done'
  }
  if (!card) return 'failed'
  const how = {
    payment_method: { card, billing_details: { name: name.trim() } },
    return_url: returnUrl,
  }
  // PAY-20: a setup stores a card, a payment takes money.
  const { error, intent } = isSetup(secret)
    ? await stripe.confirmCardSetup(secret, how).then((said) => ({ ...said, intent: said.setupIntent }))
    : await stripe.confirmCardPayment(secret, how).then((said) => ({ ...said, intent: said.paymentIntent }))
  if (error) return 'failed'
  return intent?.status === 'succeeded' || intent?.status === 'processing' ? 'done' : 'failed'
}

/** By its beginning: what is random in a payment's secret may hold the same letters. */
const isSetup = (secret: string) => secret.startsWith('seti_')

/** A payment that the bank wants its customer for, with the card that is kept. */
export async function confirmStored(stripe: Stripe | null, secret: string): Promise<'done' | 'failed'> {
  const { error } = stripe ? await stripe.confirmCardPayment(secret) : { error: true }
  return error ? 'failed' : 'done'
}
