import { ApiError } from '#web/api/api-error.ts';

/** Holds the tokens by which the server knows files that it has analysed: a form sends the token instead of the bytes. */
export class UploadTokens {
  readonly #tokens = new WeakMap<File, string>();

  has(file: File): boolean {
    return this.#tokens.has(file);
  }

  set(file: File, fileToken: string | undefined): void {
    if (fileToken !== undefined) this.#tokens.set(file, fileToken);
  }

  /** Sends a form with files. Where the server has deleted one of them, the form is sent again with the bytes of all. */
  async send<Answer>(
    files: readonly File[],
    send: (parts: (File | string)[]) => Promise<Answer>,
  ): Promise<Answer> {
    try {
      return await send(files.map((file) => this.#tokens.get(file) ?? file));
    } catch (error) {
      const isDeleted = error instanceof ApiError && error.fields['fileToken'] !== undefined;
      if (!isDeleted || !files.some((file) => this.has(file))) throw error;
      for (const file of files) this.#tokens.delete(file);
      return await send([...files]);
    }
  }
}
