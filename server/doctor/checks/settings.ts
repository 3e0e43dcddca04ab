import { isLoopback } from '../../settings/demo-mode.ts'
import type { Config } from '../../settings/config.ts'
import { fine, type Finding, look } from '../finding.ts'

export function checkSettings({ demo, publicUrl, smtpUrl }: Config): Finding {
  if (demo) return fine('This is the demo.')
  const { protocol, hostname } = new URL(publicUrl)
  if (isLoopback(hostname))
    return look(`Mails and receipts lead to ${publicUrl}. Set PUBLIC_URL to the address of your shop.`)
  if (protocol !== 'https:')
    return look(`${publicUrl} is not encrypted. Put https in front and set PUBLIC_URL to it.`)
  if (!smtpUrl) return look('No mail goes out until SMTP_URL is set; until then it waits.')
  return fine(`The shop is at ${publicUrl}.`)
}
