/* What we use of a package that brings no types: decryption of RFC 8188 with the keys of RFC 8291. */
declare module "http_ece" {
  import type { ECDH } from "node:crypto";

  const ece: {
    decrypt(body: Buffer, options: { version: "aes128gcm"; privateKey: ECDH; authSecret: Buffer }): Buffer;
  };
  export default ece;
}
