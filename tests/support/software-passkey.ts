import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

const USER_PRESENT_AND_VERIFIED = 0x05
const HAS_CREDENTIAL = 0x40

/** An authenticator without hardware: one passkey (ES256), for tests over HTTP. */
export class SoftwarePasskey {
  readonly id = randomBytes(16)
  /** Set it to make the authenticator look like a clone. */
  counter = 0
  readonly #key: KeyObject
  readonly #publicKey: Buffer
  readonly #domain: string
  readonly #origin: string

  constructor({ domain, origin }: { readonly domain: string; readonly origin: string }) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x, y } = publicKey.export({ format: 'jwk' })
    this.#key = privateKey
    this.#publicKey = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x!, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y!, 'base64url'),
    ])
    this.#domain = domain
    this.#origin = origin
  }

  register(challenge: string, origin = this.#origin) {
    const data = this.#authenticatorData(
      USER_PRESENT_AND_VERIFIED | HAS_CREDENTIAL,
      Buffer.concat([Buffer.alloc(16), Buffer.from([0, this.id.length]), this.id, this.#publicKey]),
    )
    const attestation = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
      Buffer.from([data.length]),
      data,
    ])
    return this.#credential({
      clientDataJSON: clientData('webauthn.create', challenge, origin).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    })
  }

  answer(challenge: string, { origin = this.#origin, flags = USER_PRESENT_AND_VERIFIED } = {}) {
    this.counter += 1
    const data = this.#authenticatorData(flags)
    const client = clientData('webauthn.get', challenge, origin)
    const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
    return this.#credential({
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', signed, this.#key).toString('base64url'),
    })
  }

  #authenticatorData(flags: number, credential = Buffer.alloc(0)): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.counter)
    const domain = createHash('sha256').update(this.#domain).digest()
    return Buffer.concat([domain, Buffer.from([flags]), counter, credential])
  }

  #credential(response: Record<string, unknown>): Record<string, unknown> {
    const id = this.id.toString('base64url')
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
  }
}

const clientData = (type: string, challenge: string, origin: string): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
