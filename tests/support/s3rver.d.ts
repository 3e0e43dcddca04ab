declare module '@20minutes/s3rver' {
  import type { AddressInfo } from 'node:net'

  /** Only what the tests use. */
  export default class S3rver {
    constructor(options: {
      readonly port: number
      readonly address: string
      readonly silent: boolean
      readonly directory: string
      /** The proxy in front checks the signatures. */
      readonly allowMismatchedSignatures: boolean
      readonly configureBuckets: readonly { readonly name: string; readonly configs: readonly string[] }[]
    })
    run(): Promise<AddressInfo>
    close(): Promise<void>
  }
}
