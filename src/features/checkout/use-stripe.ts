import type { Stripe } from '@stripe/stripe-js'
import { useEffect, useState } from 'react'
import { enterPayingDocument, forgetReload, isPayingDocument } from './paying-document.ts'
import { openProvider, type Provider } from './stripe-js.ts'

interface StripeInUse {
  readonly stripe: Stripe | null
  /** Shown where it is true: no money moves. */
  readonly test: boolean
  readonly failed: boolean
  readonly retry: () => void
}

/**
 * The payment provider for a screen that pays. The screen's loader has the document loaded again where it must be
 * (`enterPayingDocument`), before anything can be typed.
 */
export function useStripe(): StripeInUse {
  const [provider, setProvider] = useState<Provider>()
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
      (opened) => !gone && setProvider(opened),
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
  return { stripe: provider?.stripe ?? null, test: provider?.test ?? false, failed, retry }
}
