import { createStore } from 'zustand';
import { UnloadGuard } from '#web/ui/use-unsaved-changes-guard.ts';
import { EMPTY_UPLOAD, type UploadChange, type UploadState } from './upload-state.ts';
import { UploadTokens } from './upload-tokens.ts';

/** Holds the upload of a tab: the state of the page, the tokens of the files and the step that is running. */
export class Upload {
  readonly store = createStore<UploadState>(() => EMPTY_UPLOAD);
  readonly tokens = new UploadTokens();
  /** Ends the subscription that keeps chosen files in the browser's cache. */
  stopCaching = (): void => undefined;
  /** Resolves once that cache holds what is chosen, and nothing else of this driver. */
  cached: Promise<unknown> = Promise.resolve();
  #running = new AbortController();

  constructor() {
    // Closing or reloading the tab loses the details of the files.
    const guard = new UnloadGuard();
    this.store.subscribe(({ queue }) => guard.set(queue.length > 0));
  }

  get state(): UploadState {
    return this.store.getState();
  }

  change(change: UploadChange | Partial<UploadState>): void {
    this.store.setState(change);
  }

  /** Resolves once nothing is being sent. */
  untilSent(): Promise<void> {
    return new Promise((resolve) => {
      if (this.state.phase !== 'sending') return resolve();
      const stop = this.store.subscribe(({ phase }) => {
        if (phase === 'sending') return;
        stop();
        resolve();
      });
    });
  }

  /** Stops the step that is running, and gives the signal of a new one. */
  beginStep(): AbortSignal {
    this.stopStep();
    this.#running = new AbortController();
    return this.#running.signal;
  }

  /** Stops the step that is running. Files that have already reached the server may still be stored. */
  stopStep(): void {
    this.#running.abort();
  }
}
