import { untrustedProxiesOf } from '../../rate-limiting/untrusted-proxy.ts'
import { broken, type Check, fine, look } from '../finding.ts'

/** If the settings do not name the proxy, or it does not send `X-Forwarded-For`, all visitors share its address. */
export const checkProxy: Check = async ({ db, config, now }) => {
  const found = await untrustedProxiesOf(db, config, now())
  const first = found.find(({ isNamed }) => !isNamed)
  if (first) return broken(`${first.problem}: all visitors share one address and its limits. ${first.remedy}`)
  const [named] = found
  if (named)
    return look(
      `${named.address} is in TRUSTED_PROXIES now. Restart the shop if it was not started since; this line goes with that.`,
    )
  return fine('No proxy makes all visitors share one address.')
}
