import type { Stripe } from '@stripe/stripe-js'
import { useEffect, useState } from 'react'
import { enterPayingDocument, forgetReload, isPayingDocument } from './paying-document.ts'
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
