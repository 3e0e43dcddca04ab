/** @throws for a live key, which could move money; called before anything is started */
export function refuseLiveKeys(keys: readonly (string | undefined)[]): void {
  if (keys.some((key) => key && /^(?:sk|rk|pk)_live_/.test(key)))
    throw new Error('The payment sandbox never starts with live keys. Take them away, or use Stripe itself.')
}
