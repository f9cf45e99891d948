<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name></name>
    <message>
        <source> s</source>
        <translation> s</translation>
    </message>
    <message>
        <source>% of one core</source>
        <translation>单核的 %</translation>
    </message>
    <message>
        <source>(process {pid}) waits for storage that doesn&apos;t respond, and can&apos;t be ended</source>
        <translation>（进程 {pid}）在等待没有应答的存储，无法结束</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>--load-mode: July 2026. --lazy-mode: August 2026. --direct-io: December 2025. Older options: until September 2026</source>
        <translation>--load-mode：2026 年 7 月。--lazy-mode：2026 年 8 月。--direct-io：2025 年 12 月。旧选项：至 2026 年 9 月</translation>
    </message>
    <message>
        <source>--metadata-ttl indefinite: 1.7.0. --read-part-size: 1.8.0</source>
        <translation>--metadata-ttl indefinite：1.7.0。--read-part-size：1.8.0</translation>
    </message>
    <message>
        <source>--prepare runs commands here, and the model is on {server}.</source>
        <translation>--prepare 在此处运行命令，而模型位于 {server}。</translation>
    </message>
    <message>
        <source>--sample needs py-spy, which is not installed.</source>
        <translation>--sample 需要 py-spy，但尚未安装。</translation>
    </message>
    <message>
        <source>--vfs-read-chunk-streams: 1.68</source>
        <translation>--vfs-read-chunk-streams：1.68</translation>
    </message>
    <message>
        <source>/sys/kernel/mm/transparent_hugepage/enabled is never</source>
        <translation>/sys/kernel/mm/transparent_hugepage/enabled 为 never</translation>
    </message>
    <message>
        <source>1 caveat</source>
        <translation>1 条注意事项</translation>
    </message>
    <message>
        <source>1 connection</source>
        <translation>1 个连接</translation>
    </message>
    <message>
        <source>1 load</source>
        <translation>1 次加载</translation>
    </message>
    <message>
        <source>1 minute</source>
        <translation>1 分钟</translation>
    </message>
    <message>
        <source>1 model</source>
        <translation>1 个模型</translation>
    </message>
    <message>
        <source>1 model, {size}</source>
        <translation>1 个模型，{size}</translation>
    </message>
    <message>
        <source>1 node</source>
        <translation>1 个节点</translation>
    </message>
    <message>
        <source>1 pair</source>
        <translation>1 个配对</translation>
    </message>
    <message>
        <source>1 process</source>
        <translation>1 个进程</translation>
    </message>
    <message>
        <source>1 reader</source>
        <translation>1 个读取器</translation>
    </message>
    <message>
        <source>1 round</source>
        <translation>1 轮</translation>
    </message>
    <message>
        <source>1 run</source>
        <translation>1 次运行</translation>
    </message>
    <message>
        <source>1 run deleted</source>
        <translation>已删除 1 次运行</translation>
    </message>
    <message>
        <source>1 sample</source>
        <translation>1 个样本</translation>
    </message>
    <message>
        <source>1 straggler</source>
        <translation>1 个落后节点</translation>
    </message>
    <message>
        <source>1 tensor</source>
        <translation>1 个张量</translation>
    </message>
    <message>
        <source>1 tensor found</source>
        <translation>找到 1 个张量</translation>
    </message>
    <message>
        <source>1 tensor, {size}, {types}</source>
        <translation>1 个张量，{size}，{types}</translation>
    </message>
    <message>
        <source>1 thread</source>
        <translation>1 个线程</translation>
    </message>
    <message>
        <source>1 warm start with {label}</source>
        <translation>用 {label} 热启动 1 次</translation>
    </message>
    <message>
        <source>1 warning</source>
        <translation>1 条警告</translation>
    </message>
    <message>
        <source>10× nodes, extrapolated</source>
        <translation>10 倍节点，外推</translation>
    </message>
    <message>
        <source>15 minutes</source>
        <translation>15 分钟</translation>
    </message>
    <message>
        <source>5 minutes</source>
        <translation>5 分钟</translation>
    </message>
    <message>
        <source>; </source>
        <translation>；</translation>
    </message>
    <message>
        <source>A FUSE program</source>
        <translation>某个 FUSE 程序</translation>
    </message>
    <message>
        <source>A Modelfile can&apos;t name {path}: rename it.</source>
        <translation>Modelfile 无法写入 {path}：请重命名。</translation>
    </message>
    <message>
        <source>A PCIe link to {name} runs slower than both of its ends support.</source>
        <translation>{name} 上游的一条 PCIe 链路低于两端都支持的速度。</translation>
    </message>
    <message>
        <source>A already uses this.</source>
        <translation>A 已采用此策略。</translation>
    </message>
    <message>
        <source>A and B are the same. Change one of them first.</source>
        <translation>A 和 B 相同。请先更改其中一个。</translation>
    </message>
    <message>
        <source>A and B are the same: change one of them.</source>
        <translation>A 与 B 相同：请更改其中一个。</translation>
    </message>
    <message>
        <source>A and B need the same delivery, but {arm} can&apos;t use it: {reason}</source>
        <translation>A 和 B 的交付方式必须相同，但 {arm} 无法使用：{reason}</translation>
    </message>
    <message>
        <source>A block&apos;s share of the load time; the bars of one load add up to it. Lower is better.</source>
        <translation>一个块在加载时间中所占的部分；一次加载的所有柱相加就是它。越低越好。</translation>
    </message>
    <message>
        <source>A cgroup allows fewer processors than are visible; extra readers get throttled.</source>
        <translation>cgroup 允许使用的处理器少于可见的数量；读取器过多会被暂停。</translation>
    </message>
    <message>
        <source>A cgroup limits memory, and the model&apos;s page cache counts toward it.</source>
        <translation>cgroup 限制了内存，而模型的页缓存也计入其中。</translation>
    </message>
    <message>
        <source>A chunks event has columns of different lengths.</source>
        <translation>一个 chunks 事件的各列长度不同。</translation>
    </message>
    <message>
        <source>A command loads as much of the model as it wants.</source>
        <translation>命令自行决定加载模型的多少。</translation>
    </message>
    <message>
        <source>A delivers {a} memory, B {b}.</source>
        <translation>A 交付 {a} 内存，B 交付 {b} 内存。</translation>
    </message>
    <message>
        <source>A dict of arrays, each copied. Needs no torch.</source>
        <translation>数组字典，逐个复制。不需要 torch。</translation>
    </message>
    <message>
        <source>A dict of torch tensors, on a map of the file.</source>
        <translation>由 torch 张量组成的字典，映射自文件。</translation>
    </message>
    <message>
        <source>A direct read failed: {reason}</source>
        <translation>直接读取失败：{reason}</translation>
    </message>
    <message>
        <source>A file or a folder, here or on a server. Only its headers are read.</source>
        <translation>本机或服务器上的文件或文件夹。只读取文件头。</translation>
    </message>
    <message>
        <source>A hidden cache (host, server or disk) answers reads: the disk itself may be slower.</source>
        <translation>有本系统看不到的缓存（宿主机、服务器或磁盘自身的）在响应读取：磁盘本身可能更慢。</translation>
    </message>
    <message>
        <source>A key or password in this command isn&apos;t stored: {command}</source>
        <translation>这条命令中的密钥或密码没有保存：{command}</translation>
    </message>
    <message>
        <source>A known server says so; else 2 s without reads, or exit</source>
        <translation>已知的服务器表示就绪；否则 2 秒内无读取，或程序退出</translation>
    </message>
    <message>
        <source>A library, called the way its users call it. It decides most other settings.</source>
        <translation>按用户通常的方式调用的库。其他大多数设置由它决定。</translation>
    </message>
    <message>
        <source>A loader closed its output but doesn&apos;t end.</source>
        <translation>加载器关闭了输出但没有结束。</translation>
    </message>
    <message>
        <source>A loader {how}.</source>
        <translation>一个加载进程{how}。</translation>
    </message>
    <message>
        <source>A map of the page cache does not fit its files.</source>
        <translation>页缓存图与其文件不符。</translation>
    </message>
    <message>
        <source>A plan has names and sizes of different numbers.</source>
        <translation>计划中的名称与大小数目不同。</translation>
    </message>
    <message>
        <source>A point&apos;s shade shows which reader made the request</source>
        <translation>点的深浅表示请求由哪个读取器发出</translation>
    </message>
    <message>
        <source>A portion of 0 bytes loads nothing.</source>
        <translation>0 字节的部分加载什么也不会加载。</translation>
    </message>
    <message>
        <source>A prefetch window smaller than one request reads nothing ahead.</source>
        <translation>小于一个请求的预取窗口读不到任何内容。</translation>
    </message>
    <message>
        <source>A program is started by its own command only: use modelmon watch.</source>
        <translation>程序只能由它自己的命令启动：请使用 modelmon watch。</translation>
    </message>
    <message>
        <source>A program…</source>
        <translation>程序…</translation>
    </message>
    <message>
        <source>A quotation mark isn&apos;t closed.</source>
        <translation>有引号未闭合。</translation>
    </message>
    <message>
        <source>A rank is a process already, so its readers are threads.</source>
        <translation>并行秩本身就是进程，所以其读取器是线程。</translation>
    </message>
    <message>
        <source>A rank&apos;s slice can&apos;t be decoded: rows are decoded whole.</source>
        <translation>无法解码单个 rank 的切片：行只能整行解码。</translation>
    </message>
    <message>
        <source>A ready first</source>
        <translation>A 先就绪</translation>
    </message>
    <message>
        <source>A recorded command is text and isn&apos;t run: {command}</source>
        <translation>记录下来的命令只是文本，不会被运行：{command}</translation>
    </message>
    <message>
        <source>A request read shard {shard} of {shards}.</source>
        <translation>一个请求读取了第 {shard} 个分片，而分片共有 {shards} 个。</translation>
    </message>
    <message>
        <source>A row for each block of the model, from its first request until it&apos;s ready. Long bars are waits. Bars above each other are blocks that are read at the same time.</source>
        <translation>模型的每个块一行，从第一次请求到就绪。长条表示等待。上下重叠的条是同时读取的块。</translation>
    </message>
    <message>
        <source>A row for each node, from the start until it has the model. Rows that end late are stragglers; the table below names the reason.</source>
        <translation>每个节点一行，从开始到拥有模型。结束较晚的是落后节点；下方表格说明原因。</translation>
    </message>
    <message>
        <source>A sample came {late}: the machine is busy.</source>
        <translation>一个样本{late}：机器正忙。</translation>
    </message>
    <message>
        <source>A sample cannot have {layers} layers.</source>
        <translation>示例模型不能有 {layers} 层。</translation>
    </message>
    <message>
        <source>A sample of {layers} layers cannot be as small as {size}.</source>
        <translation>{layers} 层的示例模型不能小到 {size}。</translation>
    </message>
    <message>
        <source>A sample of {nbytes} doesn&apos;t fit in {parent}: {free} free, of which {stays_free} must stay free.</source>
        <translation>{nbytes} 的示例模型放不进 {parent}：可用 {free}，且必须保留 {stays_free}。</translation>
    </message>
    <message>
        <source>A seek is a request that doesn&apos;t continue where its descriptor&apos;s previous one ended.</source>
        <translation>寻道指请求未从其文件描述符上一个请求的结尾处继续。</translation>
    </message>
    <message>
        <source>A simulated hard disk seeks for 10 ms and reads 150 MB/s. The fast one: 2 GB/s.</source>
        <translation>模拟机械硬盘寻道 10 ms,读取 150 MB/s。快速磁盘:2 GB/s。</translation>
    </message>
    <message>
        <source>A slice needs more than one rank; a single one loads the whole.</source>
        <translation>切片需要多个并行秩；单个并行秩会加载全部。</translation>
    </message>
    <message>
        <source>A slot of {name} is slower than the drive in it.</source>
        <translation>{name} 上游的一个插槽比其中的设备慢。</translation>
    </message>
    <message>
        <source>A whole pipeline takes disable_mmap too, and loads other components.</source>
        <translation>整个流水线也接受 disable_mmap，并会加载其他组件。</translation>
    </message>
    <message>
        <source>A: {value}</source>
        <translation>A：{value}</translation>
    </message>
    <message>
        <source>A: {where_a}. B: {where_b}.</source>
        <translation>A：{where_a}。B：{where_b}。</translation>
    </message>
    <message>
        <source>API</source>
        <translation>API</translation>
    </message>
    <message>
        <source>About modelmon</source>
        <translation>关于 modelmon</translation>
    </message>
    <message>
        <source>About {pairs} pairs show a difference of {same}.</source>
        <translation>约 {pairs} 个配对即可显示 {same} 的差异。</translation>
    </message>
    <message>
        <source>About {share} longer</source>
        <translation>约多用 {share}</translation>
    </message>
    <message>
        <source>About {times}× as long</source>
        <translation>约为 {times} 倍</translation>
    </message>
    <message>
        <source>About {time} left</source>
        <translation>约剩 {time}</translation>
    </message>
    <message>
        <source>About {time} left in total</source>
        <translation>总共约剩 {time}</translation>
    </message>
    <message>
        <source>Access</source>
        <translation>访问</translation>
    </message>
    <message>
        <source>Access map</source>
        <translation>访问图</translation>
    </message>
    <message>
        <source>Access {access} bypasses the page cache that prefetch fills.</source>
        <translation>访问方式 {access} 不使用页缓存，而预取正是读入页缓存。</translation>
    </message>
    <message>
        <source>Access {access} has no readahead that advice could change.</source>
        <translation>访问方式 {access} 没有可由 advice 改变的预读。</translation>
    </message>
    <message>
        <source>Add a file&apos;s name.</source>
        <translation>请加上文件名。</translation>
    </message>
    <message>
        <source>Add a folder</source>
        <translation>添加文件夹</translation>
    </message>
    <message>
        <source>Add a folder…</source>
        <translation>添加文件夹…</translation>
    </message>
    <message>
        <source>Add folders to search</source>
        <translation>添加要搜索的文件夹</translation>
    </message>
    <message>
        <source>Add the bold lines. The rest is context.</source>
        <translation>添加加粗的行。其余是上下文。</translation>
    </message>
    <message>
        <source>Add the options to {mount_point}&apos;s and mount it again. The server may allow less. nfsrahead comes with nfs-utils.</source>
        <translation>请将这些选项加到 {mount_point} 的选项中，并重新挂载。服务器可能只允许更小的值。nfsrahead 随 nfs-utils 提供。</translation>
    </message>
    <message>
        <source>Address of the server</source>
        <translation>服务器地址</translation>
    </message>
    <message>
        <source>Advice</source>
        <translation>访问提示</translation>
    </message>
    <message>
        <source>After</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>All but the slow nodes</source>
        <translation>除慢节点外的全部节点</translation>
    </message>
    <message>
        <source>All details about the machine and storage</source>
        <translation>关于机器与存储的全部信息</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>All findings</source>
        <translation>全部发现</translation>
    </message>
    <message>
        <source>All models</source>
        <translation>所有模型</translation>
    </message>
    <message>
        <source>All nodes</source>
        <translation>全部节点</translation>
    </message>
    <message>
        <source>All recorded runs, even without an open model</source>
        <translation>所有已记录的运行，无需打开模型</translation>
    </message>
    <message>
        <source>All runs recorded on this machine</source>
        <translation>在本机上记录的全部运行</translation>
    </message>
    <message>
        <source>All settings…</source>
        <translation>全部设置…</translation>
    </message>
    <message>
        <source>All strategies</source>
        <translation>所有策略</translation>
    </message>
    <message>
        <source>All that was tested, fastest first. A dot is the estimate, its line the likely range. Where lines overlap, more runs may change the order.</source>
        <translation>所有测试过的项目，最快的在前。点是估计值，线是可能范围。线有重叠时，更多运行可能改变顺序。</translation>
    </message>
    <message>
        <source>All together</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>Along the file</source>
        <translation>沿文件分布</translation>
    </message>
    <message>
        <source>Already cached: nothing to read.</source>
        <translation>已在缓存中：无需读取。</translation>
    </message>
    <message>
        <source>Already written: {files}.</source>
        <translation>此前已写出：{files}。</translation>
    </message>
    <message>
        <source>Also supported: {names}</source>
        <translation>还支持：{names}</translation>
    </message>
    <message>
        <source>Also: {text}</source>
        <translation>另外：{text}</translation>
    </message>
    <message>
        <source>An HTTP path answers 200</source>
        <translation>HTTP 路径返回 200</translation>
    </message>
    <message>
        <source>An event of unknown type {kind} was skipped.</source>
        <translation>跳过了一个未知类型 {kind} 的事件。</translation>
    </message>
    <message>
        <source>An ordinary worker on each node loads the model at the same moment as all others. Only results travel over Ray.</source>
        <translation>每个节点上的普通工作进程同时加载模型。只有结果通过 Ray 传输。</translation>
    </message>
    <message>
        <source>Another disk</source>
        <translation>其他磁盘</translation>
    </message>
    <message>
        <source>Another machine</source>
        <translation>其他机器</translation>
    </message>
    <message>
        <source>Another process has the file open.</source>
        <translation>另一个进程打开了该文件。</translation>
    </message>
    <message>
        <source>Another process has the lock: end it, or wait until it finishes.</source>
        <translation>另一个进程占用了锁：请结束它，或等它完成。</translation>
    </message>
    <message>
        <source>Another process maps the file, so its pages can&apos;t be evicted.</source>
        <translation>另一个进程映射了该文件，因此它的页无法从内存中移除。</translation>
    </message>
    <message>
        <source>Another program</source>
        <translation>其他程序</translation>
    </message>
    <message>
        <source>Another program has since deleted them permanently.</source>
        <translation>其他程序已将它们永久删除。</translation>
    </message>
    <message>
        <source>Another program is using the history {path}.</source>
        <translation>历史 {path} 正被另一个程序占用。</translation>
    </message>
    <message>
        <source>Another program is using {device}, so loads are slower.</source>
        <translation>另一个程序正在使用 {device}，因此加载变慢。</translation>
    </message>
    <message>
        <source>Another program that loads this model: its command, or a preset</source>
        <translation>加载此模型的其他程序：输入命令，或选择预设</translation>
    </message>
    <message>
        <source>Another program used the disk while it was measured: loads may be faster.</source>
        <translation>磁盘测速期间有其他程序使用磁盘：实际加载可能更快。</translation>
    </message>
    <message>
        <source>Another program used the same disk.</source>
        <translation>有其他程序使用了同一设备。</translation>
    </message>
    <message>
        <source>Any other program: modelmon launch MODEL -- PROGRAM reads ahead in order.</source>
        <translation>其他任何程序：modelmon launch MODEL -- PROGRAM 会按顺序预读。</translation>
    </message>
    <message>
        <source>Any start state</source>
        <translation>所有启动状态</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>Applies to every program in A and B</source>
        <translation>适用于 A 和 B 中的每个程序</translation>
    </message>
    <message>
        <source>Arrays in the files. A block is a layer of the model, or what is outside them.</source>
        <translation>文件中的数组。一个块是模型的一层，或各层之外的部分。</translation>
    </message>
    <message>
        <source>Arrays on a map. Slow where vocabularies are large.</source>
        <translation>映射上的数组。词表大时较慢。</translation>
    </message>
    <message>
        <source>Arriving for</source>
        <translation>到达用时</translation>
    </message>
    <message>
        <source>As a private copy</source>
        <translation>私有副本</translation>
    </message>
    <message>
        <source>As is</source>
        <translation>保持原样</translation>
    </message>
    <message>
        <source>As of October 2026 ComfyUI maps safetensors with any setting: --disable-mmap only copies them afterwards (Comfy-Org/ComfyUI#15438). Nearest: fill the page cache before it starts, or raise the readahead.</source>
        <translation>截至 2026 年 10 月，ComfyUI 无论如何设置都以内存映射方式读取 safetensors：--disable-mmap 只是随后再复制一份（Comfy-Org/ComfyUI#15438）。最接近的做法：在它启动前填充页缓存，或增大预读。</translation>
    </message>
    <message>
        <source>As root, allow it to yourself until the next restart: mount -t tracefs -o uid={uid} tracefs /sys/kernel/tracing</source>
        <translation>以 root 身份为自己开放权限，有效至下次重启：mount -t tracefs -o uid={uid} tracefs /sys/kernel/tracing</translation>
    </message>
    <message>
        <source>As root: {command}</source>
        <translation>以 root 身份运行：{command}</translation>
    </message>
    <message>
        <source>As the program says it</source>
        <translation>由程序自己报告</translation>
    </message>
    <message>
        <source>Ask for example for 8GiB.</source>
        <translation>例如请求 8GiB。</translation>
    </message>
    <message>
        <source>Asked for</source>
        <translation>要求</translation>
    </message>
    <message>
        <source>At most {runs} runs that count</source>
        <translation>最多 {runs} 次有效运行</translation>
    </message>
    <message>
        <source>At this rate {published} take {slow} shared and {fast} with own descriptors.</source>
        <translation>按此速度,{published} 共用时需 {slow},各自打开时需 {fast}。</translation>
    </message>
    <message>
        <source>At {time}</source>
        <translation>{time}</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Available</source>
        <translation>可用</translation>
    </message>
    <message>
        <source>Available memory is the limit. Close other programs, or compare part of the model.</source>
        <translation>受可用内存限制。请关闭其他程序，或只对比模型的一部分。</translation>
    </message>
    <message>
        <source>B ready first</source>
        <translation>B 先就绪</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>Back to start page</source>
        <translation>返回起始页</translation>
    </message>
    <message>
        <source>Back to verdict</source>
        <translation>返回结论</translation>
    </message>
    <message>
        <source>Barely fits in memory: {model} of {memory} free.</source>
        <translation>内存勉强放得下：{model}，可用 {memory}。</translation>
    </message>
    <message>
        <source>Barely fits in memory: {model} of {memory} left below the cgroup limit.</source>
        <translation>内存勉强够用：{model}，cgroup 限制之下还剩 {memory}。</translation>
    </message>
    <message>
        <source>Based on</source>
        <translation>依据</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>Best cold start</source>
        <translation>最快冷启动</translation>
    </message>
    <message>
        <source>Best rate of the disk when it was measured. Loads at this line need a faster disk or smaller file.</source>
        <translation>测量磁盘时的最高速率。达到这条线的加载需要更快的磁盘或更小的文件。</translation>
    </message>
    <message>
        <source>Best so far</source>
        <translation>目前最佳</translation>
    </message>
    <message>
        <source>Best warm start</source>
        <translation>最快热启动</translation>
    </message>
    <message>
        <source>Better: keep the model on an SSD.</source>
        <translation>更好的办法：把模型放在 SSD 上。</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Block order</source>
        <translation>块的顺序</translation>
    </message>
    <message>
        <source>Block times</source>
        <translation>块用时</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>块数</translation>
    </message>
    <message>
        <source>Blocks and tensors</source>
        <translation>块与张量</translation>
    </message>
    <message>
        <source>Blocks ready</source>
        <translation>就绪的块</translation>
    </message>
    <message>
        <source>Blocks whose last byte arrived in the selected range of time.</source>
        <translation>在所选时间范围内最后一个字节到达的块数。</translation>
    </message>
    <message>
        <source>Both</source>
        <translation>两者</translation>
    </message>
    <message>
        <source>Both are private copies.</source>
        <translation>两者都是私有副本。</translation>
    </message>
    <message>
        <source>Both only stream the model.</source>
        <translation>两者都只是流式读取模型。</translation>
    </message>
    <message>
        <source>Both stay memory-mapped (reclaimable).</source>
        <translation>两者都保持内存映射（可回收）。</translation>
    </message>
    <message>
        <source>Both would slow each other down.</source>
        <translation>两者会互相拖慢。</translation>
    </message>
    <message>
        <source>Bottleneck</source>
        <translation>瓶颈</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>浏览…</translation>
    </message>
    <message>
        <source>Buffered</source>
        <translation>经过缓存</translation>
    </message>
    <message>
        <source>Builds before July 2026</source>
        <translation>2026 年 7 月之前的版本</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Bytes from disk aren&apos;t counted for this storage.</source>
        <translation>此存储不统计来自磁盘的字节数。</translation>
    </message>
    <message>
        <source>Bytes loaded per second. Higher is better, up to the disk limit.</source>
        <translation>每秒加载的字节数。越高越好，直至磁盘上限。</translation>
    </message>
    <message>
        <source>Bytes of the block per second of its time. Higher is better.</source>
        <translation>该块每秒加载的字节数。越高越好。</translation>
    </message>
    <message>
        <source>Bytes of the tensors. Memory for 1.5 times as many is a rule of thumb.</source>
        <translation>张量的字节数。经验法则：内存应为其 1.5 倍。</translation>
    </message>
    <message>
        <source>Bytes per second that arrive in memory, by the load&apos;s own requests. Higher is better, up to the disk limit.</source>
        <translation>每秒到达内存的字节数，按加载自己的请求计算。越高越好，以磁盘上限为止。</translation>
    </message>
    <message>
        <source>Bytes per second that arrived in the selected range of time.</source>
        <translation>在所选时间范围内每秒到达的字节数。</translation>
    </message>
    <message>
        <source>Bytes read from storage. More than the model: some were read twice. Less: some were cached.</source>
        <translation>从存储读取的字节数。多于模型：有些读了两次。少于模型：有些已缓存。</translation>
    </message>
    <message>
        <source>Bytes that arrived in the selected range of time.</source>
        <translation>在所选时间范围内到达的字节数。</translation>
    </message>
    <message>
        <source>Bytes that the node loaded per second. Higher is better.</source>
        <translation>该节点每秒加载的字节数。越高越好。</translation>
    </message>
    <message>
        <source>Bytes that the node read from storage; the rest came from a cache.</source>
        <translation>该节点从存储读取的字节数；其余来自缓存。</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>CPU time is unknown here.</source>
        <translation>此处无法得知处理器时间。</translation>
    </message>
    <message>
        <source>Cache</source>
        <translation>缓存</translation>
    </message>
    <message>
        <source>Cache left unchanged</source>
        <translation>缓存保持不变</translation>
    </message>
    <message>
        <source>Cache state is unreadable here</source>
        <translation>此处无法得知缓存状态</translation>
    </message>
    <message>
        <source>Cache state is unreadable here, and buffered reads would change it.</source>
        <translation>此处无法得知文件的哪些部分已缓存，而经过缓存读取会改变它。</translation>
    </message>
    <message>
        <source>Cache state is unreadable, so cold starts can&apos;t be verified.</source>
        <translation>无法读取缓存状态，因此不能确认冷启动。</translation>
    </message>
    <message>
        <source>Cache state not verified</source>
        <translation>缓存状态未经核实</translation>
    </message>
    <message>
        <source>Cache state unknown</source>
        <translation>缓存状态未知</translation>
    </message>
    <message>
        <source>Cached</source>
        <translation>已缓存</translation>
    </message>
    <message>
        <source>Cached now</source>
        <translation>当前缓存</translation>
    </message>
    <message>
        <source>Call the library itself, or choose a strategy of modelmon.</source>
        <translation>请直接调用该库，或选择 modelmon 的策略。</translation>
    </message>
    <message>
        <source>Can&apos;t express</source>
        <translation>无法设置</translation>
    </message>
    <message>
        <source>Can&apos;t express. {reason}</source>
        <translation>无法设置：{reason}</translation>
    </message>
    <message>
        <source>Can&apos;t express: it has no such setting</source>
        <translation>无法设置：它没有这样的设置</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Captures no CUDA graphs: ready sooner, but answers come more slowly.</source>
        <translation>不捕获 CUDA 图：更快就绪，但回答更慢。</translation>
    </message>
    <message>
        <source>Cgroup limit</source>
        <translation>cgroup 限制</translation>
    </message>
    <message>
        <source>Change the other setting first.</source>
        <translation>请先更改另一项设置。</translation>
    </message>
    <message>
        <source>Changed with it: {changed}.</source>
        <translation>同时改变的有：{changed}。</translation>
    </message>
    <message>
        <source>Check again during a load: some links slow down when idle. If it stays, reseat the drive, try another slot, and check the firmware&apos;s PCIe settings.</source>
        <translation>加载时再看一次，因为有些链路空闲时会降速。若仍如此，请重新插好硬盘，换一个插槽，并检查固件中的 PCIe 设置。</translation>
    </message>
    <message>
        <source>Check first what changed with it: {changed}.</source>
        <translation>先检查同时改变了什么：{changed}。</translation>
    </message>
    <message>
        <source>Check for an I/O limit on the container, service or volume, and for encryption.</source>
        <translation>检查容器、服务或卷是否有 I/O 限制，以及是否加密。</translation>
    </message>
    <message>
        <source>Check its rights, the disk or the network mount, then try again.</source>
        <translation>请检查其权限、磁盘或网络挂载，然后重试。</translation>
    </message>
    <message>
        <source>Check its spelling, or give its whole path.</source>
        <translation>请检查拼写，或给出完整路径。</translation>
    </message>
    <message>
        <source>Check that disk, and the space on it.</source>
        <translation>请检查该磁盘及其可用空间。</translation>
    </message>
    <message>
        <source>Check that it exists, is readable and mounted.</source>
        <translation>请检查它是否存在、可读且已挂载。</translation>
    </message>
    <message>
        <source>Check that its command names this file.</source>
        <translation>请检查它的命令是否指定了这个文件。</translation>
    </message>
    <message>
        <source>Check that the installation is complete.</source>
        <translation>请检查安装是否完整。</translation>
    </message>
    <message>
        <source>Check that the program was installed in one piece, then run again.</source>
        <translation>请检查程序是否完整安装，然后重新运行。</translation>
    </message>
    <message>
        <source>Check that this model is asked for, and that it isn&apos;t loaded already.</source>
        <translation>请检查所请求的是否是这个模型，以及它是否已经加载。</translation>
    </message>
    <message>
        <source>Check that {command} can be run.</source>
        <translation>请检查 {command} 能否运行。</translation>
    </message>
    <message>
        <source>Check the disk or the network mount, then try again.</source>
        <translation>请检查磁盘或网络挂载，然后重试。</translation>
    </message>
    <message>
        <source>Check the file, its disk or its mount, then open the model again.</source>
        <translation>请检查该文件及其所在的磁盘或挂载点，然后重新打开模型。</translation>
    </message>
    <message>
        <source>Check the folder&apos;s rights, or choose another one with MODELMON_DATA_DIR.</source>
        <translation>请检查文件夹的权限，或用 MODELMON_DATA_DIR 选择其他文件夹。</translation>
    </message>
    <message>
        <source>Check the path and its rights.</source>
        <translation>请检查路径及其权限。</translation>
    </message>
    <message>
        <source>Check the path, or mount its storage.</source>
        <translation>请检查路径，或挂载它所在的存储。</translation>
    </message>
    <message>
        <source>Check the permissions and the storage.</source>
        <translation>请检查权限和存储。</translation>
    </message>
    <message>
        <source>Check the permissions of that folder.</source>
        <translation>请检查该文件夹的权限。</translation>
    </message>
    <message>
        <source>Check which parts of the open model are in memory now</source>
        <translation>查看当前模型的哪些部分现在在内存中</translation>
    </message>
    <message>
        <source>Checked when the current measurement is done.</source>
        <translation>当前测量结束后检测。</translation>
    </message>
    <message>
        <source>Checking this machine…</source>
        <translation>正在检测本机…</translation>
    </message>
    <message>
        <source>Checking which settings the program supports. No model is loaded.</source>
        <translation>正在检查程序支持哪些设置。不会加载模型。</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>检测中…</translation>
    </message>
    <message>
        <source>Checksum</source>
        <translation>校验和</translation>
    </message>
    <message>
        <source>Choose a .safetensors or .gguf file, an index, or the folder of a model.</source>
        <translation>请选择 .safetensors 或 .gguf 文件、索引，或模型的文件夹。</translation>
    </message>
    <message>
        <source>Choose a .safetensors or .gguf file.</source>
        <translation>请选择 .safetensors 或 .gguf 文件。</translation>
    </message>
    <message>
        <source>Choose a delivery other than untouched.</source>
        <translation>请选择 untouched 以外的交付方式。</translation>
    </message>
    <message>
        <source>Choose a folder that is empty or doesn&apos;t exist.</source>
        <translation>请选择一个空文件夹，或一个尚不存在的文件夹。</translation>
    </message>
    <message>
        <source>Choose a longer time limit: testing everything takes about {each}.</source>
        <translation>请选择更长的时限：全部测试一遍约需 {each}。</translation>
    </message>
    <message>
        <source>Choose a model file, or open this folder.</source>
        <translation>请选择模型文件，或打开此文件夹。</translation>
    </message>
    <message>
        <source>Choose a model…</source>
        <translation>选择模型…</translation>
    </message>
    <message>
        <source>Choose a multiple of 4096.</source>
        <translation>它须是 4096 的倍数。</translation>
    </message>
    <message>
        <source>Choose a number of seconds above 0.</source>
        <translation>请选择大于 0 的秒数。</translation>
    </message>
    <message>
        <source>Choose a program that runs.</source>
        <translation>请选择一个正在运行的程序。</translation>
    </message>
    <message>
        <source>Choose a setting to test.</source>
        <translation>请选择要测试的设置。</translation>
    </message>
    <message>
        <source>Choose a smaller size or another place.</source>
        <translation>请选择更小的大小或另一个位置。</translation>
    </message>
    <message>
        <source>Choose a strategy for B</source>
        <translation>请为 B 选择策略</translation>
    </message>
    <message>
        <source>Choose a strategy that doesn&apos;t map files.</source>
        <translation>请选择不映射文件的策略。</translation>
    </message>
    <message>
        <source>Choose a whole number from {least} to {most}.</source>
        <translation>请选择 {least} 到 {most} 之间的整数。</translation>
    </message>
    <message>
        <source>Choose access read or auto.</source>
        <translation>请选择 access 为 read 或 auto。</translation>
    </message>
    <message>
        <source>Choose another access, or another filesystem.</source>
        <translation>请选择其他访问方式，或换用其他文件系统。</translation>
    </message>
    <message>
        <source>Choose another file.</source>
        <translation>请选择另一个文件。</translation>
    </message>
    <message>
        <source>Choose another folder or free space.</source>
        <translation>请选择另一个文件夹或释放空间。</translation>
    </message>
    <message>
        <source>Choose another folder.</source>
        <translation>请选择其他文件夹。</translation>
    </message>
    <message>
        <source>Choose another name for the results.</source>
        <translation>请为结果选择另一个名称。</translation>
    </message>
    <message>
        <source>Choose another name, or overwrite it.</source>
        <translation>请选择另一个名称，或覆盖它。</translation>
    </message>
    <message>
        <source>Choose another name.</source>
        <translation>请选择另一个名称。</translation>
    </message>
    <message>
        <source>Choose another one with MODELMON_DATA_DIR.</source>
        <translation>请用 MODELMON_DATA_DIR 选择其他文件夹。</translation>
    </message>
    <message>
        <source>Choose another place for the sample.</source>
        <translation>请为示例模型选择另一个位置。</translation>
    </message>
    <message>
        <source>Choose another ready sign, or a longer time limit{terminal}.</source>
        <translation>请选择其他就绪标志，或更长的时限{terminal}。</translation>
    </message>
    <message>
        <source>Choose another strategy on one card, or change one of its settings.</source>
        <translation>请在一张卡片中选择其他策略，或更改其中一项设置。</translation>
    </message>
    <message>
        <source>Choose another strategy.</source>
        <translation>请选择其他策略。</translation>
    </message>
    <message>
        <source>Choose delivery usable or owned.</source>
        <translation>请选择 deliver 为 usable 或 owned。</translation>
    </message>
    <message>
        <source>Choose fewer with --nodes, or start Ray on more.</source>
        <translation>请用 --nodes 选择更少的节点，或在更多节点上启动 Ray。</translation>
    </message>
    <message>
        <source>Choose fewer with --nodes, or wait until they are free.</source>
        <translation>请用 --nodes 选择更少的节点，或等待它们空闲。</translation>
    </message>
    <message>
        <source>Choose from 1 to {max_ranks}.</source>
        <translation>请在 1 到 {max_ranks} 之间选择。</translation>
    </message>
    <message>
        <source>Choose from 1 to {most_layers}.</source>
        <translation>请在 1 到 {most_layers} 之间选择。</translation>
    </message>
    <message>
        <source>Choose from {least} to {most}.</source>
        <translation>请在 {least} 到 {most} 之间选择。</translation>
    </message>
    <message>
        <source>Choose of: {names}.</source>
        <translation>请从中选择：{names}。</translation>
    </message>
    <message>
        <source>Choose one of the models in {folder}.</source>
        <translation>请选择 {folder} 中的一个模型。</translation>
    </message>
    <message>
        <source>Choose one of: {choices}.</source>
        <translation>可选值：{choices}。</translation>
    </message>
    <message>
        <source>Choose one of: {names}.</source>
        <translation>请从中选择：{names}。</translation>
    </message>
    <message>
        <source>Choose one of: {presets}.</source>
        <translation>请从中选择：{presets}。</translation>
    </message>
    <message>
        <source>Choose one of: {strategy_names}.</source>
        <translation>请从中选择：{strategy_names}。</translation>
    </message>
    <message>
        <source>Choose plots</source>
        <translation>选择图表</translation>
    </message>
    <message>
        <source>Choose prefetch_bytes up to {most}.</source>
        <translation>请选择不超过 {most} 的 prefetch_bytes。</translation>
    </message>
    <message>
        <source>Choose tensors or blocks instead of a part.</source>
        <translation>请选择张量或块，而不是一部分。</translation>
    </message>
    <message>
        <source>Choose the folder of a model.</source>
        <translation>请选择模型的文件夹。</translation>
    </message>
    <message>
        <source>Choose the folder of a virtual environment</source>
        <translation>选择虚拟环境的文件夹</translation>
    </message>
    <message>
        <source>Choose the index of the safetensors files.</source>
        <translation>请选择 safetensors 文件的索引。</translation>
    </message>
    <message>
        <source>Choose the name of a file.</source>
        <translation>请选择文件名。</translation>
    </message>
    <message>
        <source>Choose the program, or the Python that has it</source>
        <translation>选择程序，或装有它的 Python</translation>
    </message>
    <message>
        <source>Choose what to open</source>
        <translation>选择要打开的内容</translation>
    </message>
    <message>
        <source>Choose what to write</source>
        <translation>请选择要写出的内容</translation>
    </message>
    <message>
        <source>Choose {file} in the node that loads it.</source>
        <translation>请在加载它的节点中选择 {file}。</translation>
    </message>
    <message>
        <source>Choose {other} for both{terminal}.</source>
        <translation>请为两者选择 {other}{terminal}。</translation>
    </message>
    <message>
        <source>Class</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Clear overlay</source>
        <translation>清除叠加</translation>
    </message>
    <message>
        <source>Clear the range, hide the crosshair, deselect the block, show everything</source>
        <translation>清除区间、隐藏十字线、取消选择块、显示全部</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>清除搜索</translation>
    </message>
    <message>
        <source>Clear the selected range (Esc)</source>
        <translation>清除所选范围（Esc）</translation>
    </message>
    <message>
        <source>Click a heading to sort</source>
        <translation>点击列标题可排序</translation>
    </message>
    <message>
        <source>Click a plot or a table to have it explained</source>
        <translation>点击图表或表格查看说明</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Close it before measuring cold starts.</source>
        <translation>测量冷启动前请先结束它。</translation>
    </message>
    <message>
        <source>Close it, or go ahead with allow_busy=True.</source>
        <translation>请关闭它，或用 allow_busy=True 继续。</translation>
    </message>
    <message>
        <source>Close it, or put a \ before it.</source>
        <translation>请补上引号，或在它前面加 \。</translation>
    </message>
    <message>
        <source>Close other programs, or raise the memory limit.</source>
        <translation>请关闭其他程序，或提高内存限制。</translation>
    </message>
    <message>
        <source>Close other programs, or use a smaller file{terminal}.</source>
        <translation>请关闭其他程序，或使用更小的文件{terminal}。</translation>
    </message>
    <message>
        <source>Close other programs, raise the memory limit, or load a part.</source>
        <translation>请关闭其他程序、提高内存限制，或只加载一部分。</translation>
    </message>
    <message>
        <source>Close other programs, raise the memory limit, or use direct I/O.</source>
        <translation>请关闭其他程序、提高内存限制，或使用直接 I/O。</translation>
    </message>
    <message>
        <source>Close programs that keep the processors busy, or raise the container&apos;s CPU limit.</source>
        <translation>请关闭占用处理器的程序，或提高容器的 CPU 上限。</translation>
    </message>
    <message>
        <source>Close programs that keep the processors busy, use fewer threads, or raise the CPU limit.</source>
        <translation>请关闭占用处理器的程序、减少线程数，或提高 CPU 上限。</translation>
    </message>
    <message>
        <source>Close programs that keep the processors busy.</source>
        <translation>请关闭占用处理器的程序。</translation>
    </message>
    <message>
        <source>Close programs that keep the processors busy{terminal}.</source>
        <translation>请关闭占用处理器的程序{terminal}。</translation>
    </message>
    <message>
        <source>Close programs that use memory before loading.</source>
        <translation>加载前请关闭占用内存的程序。</translation>
    </message>
    <message>
        <source>Close programs that use that file, or measure warm starts.</source>
        <translation>请关闭使用该文件的程序，或改为测量热启动。</translation>
    </message>
    <message>
        <source>Close programs that use the file, then run again.</source>
        <translation>请关闭使用该文件的程序，然后重新运行。</translation>
    </message>
    <message>
        <source>Close replay</source>
        <translation>关闭回放</translation>
    </message>
    <message>
        <source>Close that program, then run again.</source>
        <translation>请关闭该程序，然后重新运行。</translation>
    </message>
    <message>
        <source>Close them or wait before measuring.</source>
        <translation>测量前请关闭它们，或者等待。</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>集群</translation>
    </message>
    <message>
        <source>Cluster details</source>
        <translation>集群详情</translation>
    </message>
    <message>
        <source>Cluster measured in {time}</source>
        <translation>集群测量用时 {time}</translation>
    </message>
    <message>
        <source>Cluster: {command}</source>
        <translation>集群：{command}</translation>
    </message>
    <message>
        <source>Clusters need Ray, which isn&apos;t installed.</source>
        <translation>集群需要 Ray，但尚未安装。</translation>
    </message>
    <message>
        <source>Cluster…</source>
        <translation>集群…</translation>
    </message>
    <message>
        <source>Cold</source>
        <translation>冷启动</translation>
    </message>
    <message>
        <source>Cold
start</source>
        <translation>冷
启动</translation>
    </message>
    <message>
        <source>Cold here, cached below</source>
        <translation>此处为冷，下层已缓存</translation>
    </message>
    <message>
        <source>Cold on this machine, but the server behind {behind} may have cached the file.</source>
        <translation>在本机是冷启动，但 {behind} 背后的服务器可能已缓存该文件。</translation>
    </message>
    <message>
        <source>Cold start</source>
        <translation>冷启动</translation>
    </message>
    <message>
        <source>Cold start here, server state unknown</source>
        <translation>本机冷启动，服务器状态未知</translation>
    </message>
    <message>
        <source>Cold start not measured</source>
        <translation>未测量冷启动</translation>
    </message>
    <message>
        <source>Cold start: {share} of the file was cached</source>
        <translation>冷启动：文件的 {share} 已缓存</translation>
    </message>
    <message>
        <source>Cold starts couldn&apos;t be verified.</source>
        <translation>无法核实是否为冷启动。</translation>
    </message>
    <message>
        <source>Collapse</source>
        <translation>折叠</translation>
    </message>
    <message>
        <source>Collapse all</source>
        <translation>全部折叠</translation>
    </message>
    <message>
        <source>Collect all for an issue: modelmon doctor --bug-report bug.md</source>
        <translation>收集全部信息以便提交问题：modelmon doctor --bug-report bug.md</translation>
    </message>
    <message>
        <source>ComfyUI answers a request before it loads, so modelmon doesn&apos;t ask it to load.</source>
        <translation>ComfyUI 在加载之前就答复请求，因此 modelmon 不请求它加载。</translation>
    </message>
    <message>
        <source>ComfyUI loads single files, and this model has {count}.</source>
        <translation>ComfyUI 只加载单个文件，而此模型有 {count} 个文件。</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Command that starts your program</source>
        <translation>启动程序的命令</translation>
    </message>
    <message>
        <source>Command: {command}</source>
        <translation>命令：{command}</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Commands and keys</source>
        <translation>命令与快捷键</translation>
    </message>
    <message>
        <source>Commands and keys…</source>
        <translation>命令与快捷键…</translation>
    </message>
    <message>
        <source>Commands aren&apos;t kept as presets.</source>
        <translation>命令不能存为预设。</translation>
    </message>
    <message>
        <source>Commands of programs that modelmon knows</source>
        <translation>modelmon 认识的程序的命令</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Compare A with B</source>
        <translation>对比 A 与 B</translation>
    </message>
    <message>
        <source>Compare A/B</source>
        <translation>对比 A/B</translation>
    </message>
    <message>
        <source>Compare A/B tests two strategies, Find best all that work here. Each run starts from a verified cache.</source>
        <translation>“对比 A/B”测试两种策略，“寻找最佳”测试此处可用的所有策略。每次运行都从经过验证的缓存状态开始。</translation>
    </message>
    <message>
        <source>Compare a part ({size})</source>
        <translation>对比一部分（{size}）</translation>
    </message>
    <message>
        <source>Compare again</source>
        <translation>再次对比</translation>
    </message>
    <message>
        <source>Compare again for a clearer result.</source>
        <translation>再次对比可得到更明确的结果。</translation>
    </message>
    <message>
        <source>Compare for about {time}?</source>
        <translation>要用约 {time} 进行对比吗？</translation>
    </message>
    <message>
        <source>Compare it with another strategy to see which is faster.</source>
        <translation>请将它与另一种策略对比，看哪个更快。</translation>
    </message>
    <message>
        <source>Compare its load settings to see which is faster.</source>
        <translation>请对比它的各项加载设置，看哪个更快。</translation>
    </message>
    <message>
        <source>Compare mmap (A) with parallel (B){terminal}.</source>
        <translation>对比 mmap（A）与 parallel（B）{terminal}。</translation>
    </message>
    <message>
        <source>Compare recorded runs</source>
        <translation>对比已记录的运行</translation>
    </message>
    <message>
        <source>Compare selected runs…</source>
        <translation>对比所选运行…</translation>
    </message>
    <message>
        <source>Compare the time until ready instead.</source>
        <translation>请改为对比就绪用时。</translation>
    </message>
    <message>
        <source>Compare the whole model</source>
        <translation>对比整个模型</translation>
    </message>
    <message>
        <source>Compare the whole model{terminal}.</source>
        <translation>对比整个模型{terminal}。</translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation>与之对比</translation>
    </message>
    <message>
        <source>Compare with {other}: {time}, not {now}, in few runs.</source>
        <translation>与 {other} 比较：少数几次运行中用时 {time}，而不是 {now}。</translation>
    </message>
    <message>
        <source>Compare {a} (A) with {b} (B) from a cold cache</source>
        <translation>对比 {a}（A）与 {b}（B），从冷缓存开始</translation>
    </message>
    <message>
        <source>Compare {a} (A) with {b} (B) from a warm cache</source>
        <translation>对比 {a}（A）与 {b}（B），从热缓存开始</translation>
    </message>
    <message>
        <source>Compare {a} (A) with {b} (B), page cache unchanged</source>
        <translation>对比 {a}（A）与 {b}（B），页缓存保持不变</translation>
    </message>
    <message>
        <source>Compare, {place}: {arm}</source>
        <translation>对比，{place}：{arm}</translation>
    </message>
    <message>
        <source>Compare: {cost}.</source>
        <translation>对比：{cost}。</translation>
    </message>
    <message>
        <source>Compared on {nodes} of {all} nodes: no larger number finished in both.</source>
        <translation>在 {all} 个节点中的 {nodes} 个上比较：节点更多时，没有两者都完成的运行。</translation>
    </message>
    <message>
        <source>Compared with {best}</source>
        <translation>与 {best} 相比</translation>
    </message>
    <message>
        <source>Compare…</source>
        <translation>对比…</translation>
    </message>
    <message>
        <source>Comparison details</source>
        <translation>对比详情</translation>
    </message>
    <message>
        <source>Comparison ended in {place}.</source>
        <translation>对比已结束，止于{place}。</translation>
    </message>
    <message>
        <source>Comparison finished after {time}</source>
        <translation>对比已完成，用时 {time}</translation>
    </message>
    <message>
        <source>Comparison stopped after {done} of up to {total} pairs, begun {when}.</source>
        <translation>对比已停止，完成 {done} 对（最多 {total} 对），{when} 开始。</translation>
    </message>
    <message>
        <source>Comparison stopped after {done} of up to {total} pairs.</source>
        <translation>对比已停止，完成 {done} 个配对（最多 {total} 个）。</translation>
    </message>
    <message>
        <source>Comparison stopped after {done} of {total} pairs.</source>
        <translation>对比已停止，完成 {done} / {total} 个配对。</translation>
    </message>
    <message>
        <source>Comparison stopped in {place}.</source>
        <translation>对比已停止，停在{place}。</translation>
    </message>
    <message>
        <source>Comparison: {names}</source>
        <translation>对比：{names}</translation>
    </message>
    <message>
        <source>Compiles at each start, as where its compile cache isn&apos;t kept.</source>
        <translation>每次启动都重新编译，如同没有保留编译缓存。</translation>
    </message>
    <message>
        <source>Computes on half of the processors: threads wait less for each other, but prompts take longer.</source>
        <translation>只用一半处理器计算：线程之间等待更少，但处理提示词更慢。</translation>
    </message>
    <message>
        <source>Computes with one thread: threads don&apos;t wait for each other, but answers take longer.</source>
        <translation>只用一个线程计算：线程不再相互等待，但回答更慢。</translation>
    </message>
    <message>
        <source>Confidence: high ({why}).</source>
        <translation>可信度：高（{why}）。</translation>
    </message>
    <message>
        <source>Confidence: low ({why}).</source>
        <translation>可信度：低（{why}）。</translation>
    </message>
    <message>
        <source>Confidence: medium ({why}).</source>
        <translation>可信度：中（{why}）。</translation>
    </message>
    <message>
        <source>Config file</source>
        <translation>配置文件</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>Connecting to the cluster</source>
        <translation>正在连接集群</translation>
    </message>
    <message>
        <source>Connecting to {server}</source>
        <translation>正在连接 {server}</translation>
    </message>
    <message>
        <source>Connection</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>Connects with ssh, with your keys and settings. Reads folders only.</source>
        <translation>通过 ssh 连接，使用您的密钥和设置。只读取文件夹。</translation>
    </message>
    <message>
        <source>Container</source>
        <translation>容器</translation>
    </message>
    <message>
        <source>Continue {time}</source>
        <translation>继续 {time}</translation>
    </message>
    <message>
        <source>Convert the model to GGUF again, as version 3.</source>
        <translation>请将模型重新转换为版本 3 的 GGUF。</translation>
    </message>
    <message>
        <source>Copied the plot as a picture.</source>
        <translation>已将图复制为图片。</translation>
    </message>
    <message>
        <source>Copied the result as Markdown.</source>
        <translation>已将结果复制为 Markdown。</translation>
    </message>
    <message>
        <source>Copied {rows} rows as CSV.</source>
        <translation>已将 {rows} 行复制为 CSV。</translation>
    </message>
    <message>
        <source>Copied {rows} rows as Markdown.</source>
        <translation>已将 {rows} 行复制为 Markdown。</translation>
    </message>
    <message>
        <source>Copies of {arm}</source>
        <translation>{arm} 的副本</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy as CSV</source>
        <translation>复制为 CSV</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>复制为 Markdown</translation>
    </message>
    <message>
        <source>Copy as picture</source>
        <translation>复制为图片</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>复制为文本</translation>
    </message>
    <message>
        <source>Copy details</source>
        <translation>复制详情</translation>
    </message>
    <message>
        <source>Copy figures</source>
        <translation>复制数据</translation>
    </message>
    <message>
        <source>Copy it there: modelmon remote install {server}</source>
        <translation>请复制到那里：modelmon remote install {server}</translation>
    </message>
    <message>
        <source>Copy modelmon there</source>
        <translation>将 modelmon 复制到那里</translation>
    </message>
    <message>
        <source>Copy name</source>
        <translation>复制名称</translation>
    </message>
    <message>
        <source>Copy name, type, shape and bytes</source>
        <translation>复制名称、类型、形状和字节数</translation>
    </message>
    <message>
        <source>Copy result as Markdown</source>
        <translation>将结果复制为 Markdown</translation>
    </message>
    <message>
        <source>Copy table</source>
        <translation>复制表格</translation>
    </message>
    <message>
        <source>Copy the model to a disk to measure loading from it.</source>
        <translation>请将模型复制到磁盘，再测量从那里加载。</translation>
    </message>
    <message>
        <source>Copy the verdict, or the ranking of Find best, for an issue or a page</source>
        <translation>复制结论或“寻找最佳”的排名，以便贴到问题单或页面中</translation>
    </message>
    <message>
        <source>Copy this version there: modelmon remote install {server}</source>
        <translation>请将此版本复制到那里：modelmon remote install {server}</translation>
    </message>
    <message>
        <source>Copy to {label}</source>
        <translation>复制到 {label}</translation>
    </message>
    <message>
        <source>Copy, 1 thread</source>
        <translation>复制，1 个线程</translation>
    </message>
    <message>
        <source>Copy, {threads} threads</source>
        <translation>复制，{threads} 个线程</translation>
    </message>
    <message>
        <source>Copying modelmon to {server}</source>
        <translation>正在将 modelmon 复制到 {server}</translation>
    </message>
    <message>
        <source>Couldn&apos;t connect to a Ray cluster at {address}: {what}</source>
        <translation>无法连接位于 {address} 的 Ray 集群：{what}</translation>
    </message>
    <message>
        <source>Couldn&apos;t connect to {server}.</source>
        <translation>无法连接 {server}。</translation>
    </message>
    <message>
        <source>Couldn&apos;t connect to {server}: {words}.</source>
        <translation>无法连接到 {server}：{words}。</translation>
    </message>
    <message>
        <source>Couldn&apos;t create the history&apos;s folder {parent}: {reason}.</source>
        <translation>无法创建历史文件夹 {parent}：{reason}。</translation>
    </message>
    <message>
        <source>Couldn&apos;t create {folder}: {why}.</source>
        <translation>无法创建 {folder}：{why}。</translation>
    </message>
    <message>
        <source>Couldn&apos;t evict the pages: another process maps or reads the file.</source>
        <translation>这些页留在内存中：另一个进程映射或读取了该文件。</translation>
    </message>
    <message>
        <source>Couldn&apos;t evict the pages: {unwritten} of them haven&apos;t been written yet.</source>
        <translation>这些页留在内存中：其中 {unwritten} 页尚待写回。</translation>
    </message>
    <message>
        <source>Couldn&apos;t evict the pages: {users}.</source>
        <translation>这些页留在内存中：{users}。</translation>
    </message>
    <message>
        <source>Couldn&apos;t import {name}: {reason}.</source>
        <translation>{name} 无法导入：{reason}。</translation>
    </message>
    <message>
        <source>Couldn&apos;t map {path}: {reason}.</source>
        <translation>无法映射 {path}：{reason}。</translation>
    </message>
    <message>
        <source>Couldn&apos;t measure the disk: {reason}.</source>
        <translation>磁盘测速失败：{reason}。</translation>
    </message>
    <message>
        <source>Couldn&apos;t measure the storage.</source>
        <translation>无法测量存储。</translation>
    </message>
    <message>
        <source>Couldn&apos;t open another window.</source>
        <translation>无法打开另一个窗口。</translation>
    </message>
    <message>
        <source>Couldn&apos;t open or write the history {path}: {why}.</source>
        <translation>历史 {path} 无法打开或写入：{why}。</translation>
    </message>
    <message>
        <source>Couldn&apos;t open the history in {folder}: {reason}.</source>
        <translation>无法打开 {folder} 中的历史：{reason}。</translation>
    </message>
    <message>
        <source>Couldn&apos;t open {path}: {reason}.</source>
        <translation>无法打开 {path}：{reason}。</translation>
    </message>
    <message>
        <source>Couldn&apos;t read a stored value: {reason}</source>
        <translation>无法理解存储的值：{reason}</translation>
    </message>
    <message>
        <source>Couldn&apos;t read row {row} of the history: {reason}.</source>
        <translation>无法理解历史的第 {row} 行：{reason}。</translation>
    </message>
    <message>
        <source>Couldn&apos;t read the answer of modelmon {name}: {error}.</source>
        <translation>无法读取 modelmon {name} 的输出：{error}。</translation>
    </message>
    <message>
        <source>Couldn&apos;t read the events of this run from {path}: {reason}.</source>
        <translation>无法从 {path} 读取本次运行的事件：{reason}。</translation>
    </message>
    <message>
        <source>Couldn&apos;t read the job: {reason}</source>
        <translation>无法理解任务：{reason}</translation>
    </message>
    <message>
        <source>Couldn&apos;t read what modelmon {name} on {server} answered: {reason}. It {how}.</source>
        <translation>无法读取 {server} 上 modelmon {name} 的回答：{reason}。它{how}。</translation>
    </message>
    <message>
        <source>Couldn&apos;t read what the process wrote: {reason}.</source>
        <translation>无法读取进程写出的内容：{reason}。</translation>
    </message>
    <message>
        <source>Couldn&apos;t read what {server} sent.</source>
        <translation>无法读取 {server} 发来的内容。</translation>
    </message>
    <message>
        <source>Couldn&apos;t read {filename}: {reason}.</source>
        <translation>{filename} 无法读取：{reason}。</translation>
    </message>
    <message>
        <source>Couldn&apos;t read {file}: {why}.</source>
        <translation>无法读取 {file}：{why}。</translation>
    </message>
    <message>
        <source>Couldn&apos;t read {path} at byte {offset}: {reason}.</source>
        <translation>{path} 在第 {offset} 字节处无法读取：{reason}。</translation>
    </message>
    <message>
        <source>Couldn&apos;t read {path}: {reason}.</source>
        <translation>{path} 无法读取：{reason}。</translation>
    </message>
    <message>
        <source>Couldn&apos;t start {program}: {reason}.</source>
        <translation>无法启动 {program}：{reason}。</translation>
    </message>
    <message>
        <source>Couldn&apos;t store the events of a run in {folder}: {reason}.</source>
        <translation>无法在 {folder} 中保存运行的事件：{reason}。</translation>
    </message>
    <message>
        <source>Couldn&apos;t use the history {path}: {reason}.</source>
        <translation>历史 {path} 无法使用：{reason}。</translation>
    </message>
    <message>
        <source>Couldn&apos;t write it: {reason}.</source>
        <translation>无法写入：{reason}。</translation>
    </message>
    <message>
        <source>Couldn&apos;t write the history {path}: {reason}.</source>
        <translation>历史 {path} 无法写入：{reason}。</translation>
    </message>
    <message>
        <source>Couldn&apos;t write the report.</source>
        <translation>无法写入报告。</translation>
    </message>
    <message>
        <source>Couldn&apos;t write {out}: {reason}.</source>
        <translation>{out} 无法写入：{reason}。</translation>
    </message>
    <message>
        <source>Couldn&apos;t write {path}: permission denied.</source>
        <translation>无法写入 {path}：没有权限。</translation>
    </message>
    <message>
        <source>Couldn&apos;t write {path}: the folder doesn&apos;t exist.</source>
        <translation>无法写入 {path}：没有这个文件夹。</translation>
    </message>
    <message>
        <source>Couldn&apos;t write {path}: there is no such home folder.</source>
        <translation>无法写入 {path}：没有这个主目录。</translation>
    </message>
    <message>
        <source>Couldn&apos;t write {path}: {reason}.</source>
        <translation>{path} 无法写入：{reason}。</translation>
    </message>
    <message>
        <source>Counted</source>
        <translation>已计入</translation>
    </message>
    <message>
        <source>Counts: {start}</source>
        <translation>计入：{start}</translation>
    </message>
    <message>
        <source>Create and compare</source>
        <translation>创建并对比</translation>
    </message>
    <message>
        <source>Create it first.</source>
        <translation>请先创建它。</translation>
    </message>
    <message>
        <source>Create the folder first.</source>
        <translation>请先创建它。</translation>
    </message>
    <message>
        <source>Creates a {size} test model and compares mmap with what suits this disk. Deleted on close.</source>
        <translation>创建一个 {size} 的测试模型，将 mmap 与适合此磁盘的策略对比。关闭窗口时删除。</translation>
    </message>
    <message>
        <source>Ctrl+wheel</source>
        <translation>Ctrl+滚轮</translation>
    </message>
    <message>
        <source>DIFFERS from the file</source>
        <translation>与文件不一致</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Decode the whole model, or load the slice as it&apos;s stored.</source>
        <translation>请解码整个模型，或按存储格式加载切片。</translation>
    </message>
    <message>
        <source>Decoded by gguf&apos;s own decoder, which is many times slower than compiled code: {types}.</source>
        <translation>由 gguf 自带的解码器解码，比编译代码慢许多倍：{types}。</translation>
    </message>
    <message>
        <source>Decoded to float32, kept</source>
        <translation>解码为 float32 并保留</translation>
    </message>
    <message>
        <source>Decoding</source>
        <translation>解码</translation>
    </message>
    <message>
        <source>Decoding already reads ahead, so prefetch has no effect.</source>
        <translation>要解码的数据已在解码器之前读取，所以用不上预取。</translation>
    </message>
    <message>
        <source>Decoding to float32</source>
        <translation>解码为 float32</translation>
    </message>
    <message>
        <source>Delete 1 run</source>
        <translation>删除 1 次运行</translation>
    </message>
    <message>
        <source>Delete 1 run from the history?</source>
        <translation>从历史中删除 1 次运行？</translation>
    </message>
    <message>
        <source>Delete it: modelmon history delete c{id}.</source>
        <translation>请删除它：modelmon history delete c{id}。</translation>
    </message>
    <message>
        <source>Delete preset</source>
        <translation>删除预设</translation>
    </message>
    <message>
        <source>Delete runs</source>
        <translation>删除运行</translation>
    </message>
    <message>
        <source>Delete {count} runs</source>
        <translation>删除 {count} 次运行</translation>
    </message>
    <message>
        <source>Delete {count} runs from the history?</source>
        <translation>从历史中删除 {count} 次运行？</translation>
    </message>
    <message>
        <source>Deleted {count} recorded runs.</source>
        <translation>已删除 {count} 次已记录的运行。</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>删除…</translation>
    </message>
    <message>
        <source>Delivered as stored, not decoded: {nbytes} of {all_bytes}, of type {types}.</source>
        <translation>按存储形式交付，未解码：{all_bytes} 中的 {nbytes}，类型为 {types}。</translation>
    </message>
    <message>
        <source>Delivery</source>
        <translation>交付</translation>
    </message>
    <message>
        <source>Delivery streamed keeps nothing to return.</source>
        <translation>deliver 为 streamed 时不保留任何可返回的内容。</translation>
    </message>
    <message>
        <source>Descriptor</source>
        <translation>描述符</translation>
    </message>
    <message>
        <source>Details…</source>
        <translation>详情…</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Devices now, before any load</source>
        <translation>设备现状（加载之前）</translation>
    </message>
    <message>
        <source>Difference in the start that was tested</source>
        <translation>所测启动方式下的差异</translation>
    </message>
    <message>
        <source>Direct I/O bypasses the page cache, so a warm-up has no effect.</source>
        <translation>直接读取绕过页缓存，所以预热没有作用。</translation>
    </message>
    <message>
        <source>Direct I/O doesn&apos;t use the page cache, so a restart reads from the disk again.</source>
        <translation>直接 I/O 不使用页缓存，因此重新启动时会再次从磁盘读取。</translation>
    </message>
    <message>
        <source>Direct I/O needs a descriptor per reader: the flag belongs to the open file.</source>
        <translation>直接读取需要各自的描述符：该标志属于打开的文件。</translation>
    </message>
    <message>
        <source>Direct I/O to the GPU. Best on fast disks, cold.</source>
        <translation>用直接 I/O 读入 GPU。在快速磁盘上冷启动最佳。</translation>
    </message>
    <message>
        <source>Direct I/O: reads the file without the page cache.</source>
        <translation>直接 I/O：绕过页缓存读取文件。</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>放弃</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>磁盘</translation>
    </message>
    <message>
        <source>Disk limit {rate}</source>
        <translation>磁盘上限 {rate}</translation>
    </message>
    <message>
        <source>Disk measured in {time}</source>
        <translation>磁盘测速已完成，用时 {time}</translation>
    </message>
    <message>
        <source>Disk measurement</source>
        <translation>磁盘测速</translation>
    </message>
    <message>
        <source>Disk measurement stopped.</source>
        <translation>磁盘测速已停止。</translation>
    </message>
    <message>
        <source>Disk measurement, {age}</source>
        <translation>磁盘测速，{age}</translation>
    </message>
    <message>
        <source>Disk metric</source>
        <translation>磁盘指标</translation>
    </message>
    <message>
        <source>Disk, map, decoding or memory? (kvcache-ai/ktransformers#471)</source>
        <translation>磁盘、映射、解码还是内存?(kvcache-ai/ktransformers#471)</translation>
    </message>
    <message>
        <source>Doesn&apos;t fit</source>
        <translation>放不下</translation>
    </message>
    <message>
        <source>Doesn&apos;t fit below the cgroup limit: {model}, {memory} left.</source>
        <translation>超出 cgroup 限制：{model}，还剩 {memory}。</translation>
    </message>
    <message>
        <source>Doesn&apos;t fit in memory: {model}, {memory} free.</source>
        <translation>内存放不下：{model}，可用 {memory}。</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Double-click</source>
        <translation>双击</translation>
    </message>
    <message>
        <source>Download all files of the model again.</source>
        <translation>请重新下载模型的全部文件。</translation>
    </message>
    <message>
        <source>Download all {count} parts, then join them with cat.</source>
        <translation>请下载全部 {count} 个部分，然后用 cat 合并。</translation>
    </message>
    <message>
        <source>Download or convert the file again.</source>
        <translation>请重新下载或转换文件。</translation>
    </message>
    <message>
        <source>Download or convert the model as GGUF.</source>
        <translation>请下载 GGUF 格式的模型，或将其转换为 GGUF。</translation>
    </message>
    <message>
        <source>Download the file again.</source>
        <translation>请重新下载文件。</translation>
    </message>
    <message>
        <source>Download the index and all shards again.</source>
        <translation>请重新下载索引和全部分片。</translation>
    </message>
    <message>
        <source>Download the little-endian file, or convert it with gguf-convert-endian.</source>
        <translation>请下载小端序文件，或用 gguf-convert-endian 转换。</translation>
    </message>
    <message>
        <source>Download the model again; files of two models may be mixed.</source>
        <translation>请重新下载模型；可能混入了两个模型的文件。</translation>
    </message>
    <message>
        <source>Download the model&apos;s .safetensors files, or convert it to safetensors or GGUF.</source>
        <translation>请下载模型的 .safetensors 文件，或将其转换为 safetensors 或 GGUF。</translation>
    </message>
    <message>
        <source>Download what it needs before; with HF_HUB_OFFLINE=1 nothing is looked up.</source>
        <translation>请事先下载它需要的内容；设置 HF_HUB_OFFLINE=1 后不再联网查询。</translation>
    </message>
    <message>
        <source>Drag</source>
        <translation>拖动</translation>
    </message>
    <message>
        <source>Drag in a plot to see the figures of a time range.</source>
        <translation>在图中拖动即可查看某一时间区间的数值。</translation>
    </message>
    <message>
        <source>Drag the axis</source>
        <translation>拖动坐标轴</translation>
    </message>
    <message>
        <source>Drop the tensors that were loaded from it, or measure warm starts.</source>
        <translation>请释放从中加载的张量，或测量热启动。</translation>
    </message>
    <message>
        <source>During</source>
        <translation>期间</translation>
    </message>
    <message>
        <source>Each file is read whole into memory before it&apos;s used.</source>
        <translation>每个文件在使用前都会完整读入内存。</translation>
    </message>
    <message>
        <source>Each mark is one run. Line: usual time. Box: likely range (95%). Hollow: disturbed by something else.</source>
        <translation>每个标记是一次运行。线：通常用时。框：很可能的范围（95%）。空心：受到其他影响。</translation>
    </message>
    <message>
        <source>Each node&apos;s load, once one was started</source>
        <translation>启动一次后显示每个节点的加载</translation>
    </message>
    <message>
        <source>Each point is a part of the model as it came into memory: when, and its offset.</source>
        <translation>每个点是进入内存的模型的一部分：何时进入，以及它的偏移量。</translation>
    </message>
    <message>
        <source>Each point is one read request: when it was made, and where in the file. Jumps are seeks.</source>
        <translation>每个点是一个读请求：何时发出，在文件的何处。跳跃就是寻道。</translation>
    </message>
    <message>
        <source>Each rank loads</source>
        <translation>每个秩加载</translation>
    </message>
    <message>
        <source>Each run waits until the cache is prepared, and is ended with all its processes when loaded, or after {limit}.</source>
        <translation>每次运行都等缓存准备好才开始；加载完成后或超过 {limit} 时，连同其所有进程一起结束。</translation>
    </message>
    <message>
        <source>Earlier</source>
        <translation>以往结果</translation>
    </message>
    <message>
        <source>Earlier runs were made {was}; the rest must be, too.</source>
        <translation>之前的运行是{was}进行的；其余的也必须如此。</translation>
    </message>
    <message>
        <source>Edit program…</source>
        <translation>编辑程序…</translation>
    </message>
    <message>
        <source>Edit the program of {arm}</source>
        <translation>编辑 {arm} 的程序</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>编辑…</translation>
    </message>
    <message>
        <source>End a run after </source>
        <translation>单次运行上限 </translation>
    </message>
    <message>
        <source>End it with .html or .md.</source>
        <translation>请以 .html 或 .md 结尾。</translation>
    </message>
    <message>
        <source>Ended before its turn</source>
        <translation>尚未轮到它就已结束</translation>
    </message>
    <message>
        <source>Ended early: the model was changed or removed</source>
        <translation>提前结束：模型已被更改或删除</translation>
    </message>
    <message>
        <source>Enter a name.</source>
        <translation>请输入名称。</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>环境变量</translation>
    </message>
    <message>
        <source>Estimate</source>
        <translation>估计</translation>
    </message>
    <message>
        <source>Estimate from all runs, with its likely range</source>
        <translation>根据全部运行估计，附可能范围</translation>
    </message>
    <message>
        <source>Estimate stopped.</source>
        <translation>估算已停止。</translation>
    </message>
    <message>
        <source>Estimating how long Compare takes</source>
        <translation>正在估算对比所需的时间</translation>
    </message>
    <message>
        <source>Estimating the time from earlier runs, or by reading a small part of the file.</source>
        <translation>正在估算所需时间：依据以往运行，或读取文件的一小部分。</translation>
    </message>
    <message>
        <source>Events in this window appear here.</source>
        <translation>此窗口中发生的事情会写在这里。</translation>
    </message>
    <message>
        <source>Every strategy streams the model: {why}.</source>
        <translation>所有策略都以流式读取模型：{why}。</translation>
    </message>
    <message>
        <source>Evict the file from the page cache before each run</source>
        <translation>每次运行前将文件移出页缓存</translation>
    </message>
    <message>
        <source>Evicting the file from the cache</source>
        <translation>正在将文件移出缓存</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>依据</translation>
    </message>
    <message>
        <source>Evidence: {evidence}.</source>
        <translation>依据：{evidence}。</translation>
    </message>
    <message>
        <source>Execution order</source>
        <translation>按执行顺序</translation>
    </message>
    <message>
        <source>Expand</source>
        <translation>展开</translation>
    </message>
    <message>
        <source>Expand all</source>
        <translation>全部展开</translation>
    </message>
    <message>
        <source>Expected</source>
        <translation>预计</translation>
    </message>
    <message>
        <source>Expected if the nodes didn&apos;t slow each other down.</source>
        <translation>节点互不拖慢时的预期值。</translation>
    </message>
    <message>
        <source>Expected load times</source>
        <translation>预计加载时间</translation>
    </message>
    <message>
        <source>Expected with more nodes than were measured.</source>
        <translation>节点数多于测量时的预计值。</translation>
    </message>
    <message>
        <source>Expected, {span}</source>
        <translation>预计，{span}</translation>
    </message>
    <message>
        <source>Expected: {time}</source>
        <translation>预计：{time}</translation>
    </message>
    <message>
        <source>Expected: {time} (likely {low} to {high})</source>
        <translation>预计：{time}（很可能为 {low} 至 {high}）</translation>
    </message>
    <message>
        <source>Experiment</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>Experiment and side (A or B), as modelmon history lists them</source>
        <translation>实验与 A/B 侧，与 modelmon history 的列法相同</translation>
    </message>
    <message>
        <source>Experiment x{id} ({kind}, {state}), {when}, {model}, {path}</source>
        <translation>实验 x{id}（{kind}，{state}），{when}，{model}，{path}</translation>
    </message>
    <message>
        <source>Experiment x{id} has no {match}.</source>
        <translation>实验 x{id} 没有 {match}。</translation>
    </message>
    <message>
        <source>Experiment x{id} isn&apos;t a Find best run that can be resumed.</source>
        <translation>实验 x{id} 不是可以继续的寻找最佳。</translation>
    </message>
    <message>
        <source>Experiment x{id} isn&apos;t a comparison that can be resumed.</source>
        <translation>实验 x{id} 不是可以继续的对比。</translation>
    </message>
    <message>
        <source>Experiment x{id} was started {where}; its runs can&apos;t be compared with new ones.</source>
        <translation>实验 x{id} {where}开始；其运行无法与新的运行对比。</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Export a comparison to get such a file.</source>
        <translation>导出一次对比即可得到这样的文件。</translation>
    </message>
    <message>
        <source>Export a strategy of modelmon.</source>
        <translation>请导出 modelmon 的策略。</translation>
    </message>
    <message>
        <source>Export it again with this version.</source>
        <translation>请用此版本重新导出。</translation>
    </message>
    <message>
        <source>Export it again.</source>
        <translation>请重新导出。</translation>
    </message>
    <message>
        <source>Export it in a terminal: modelmon export FILE</source>
        <translation>在终端中导出：modelmon export FILE</translation>
    </message>
    <message>
        <source>Export runs</source>
        <translation>导出运行</translation>
    </message>
    <message>
        <source>Export selection…</source>
        <translation>导出所选…</translation>
    </message>
    <message>
        <source>Export the command itself: modelmon export RESULT --for program.</source>
        <translation>导出命令本身：modelmon export RESULT --for program。</translation>
    </message>
    <message>
        <source>Export winner</source>
        <translation>导出最佳策略</translation>
    </message>
    <message>
        <source>Exported {path}.</source>
        <translation>已导出 {path}。</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Extra bytes</source>
        <translation>多读的字节</translation>
    </message>
    <message>
        <source>FUSE isn&apos;t available to this user: fusermount3 is missing.</source>
        <translation>此用户无法使用 FUSE:缺少 fusermount3。</translation>
    </message>
    <message>
        <source>FUSE isn&apos;t available to this user: fusermount3 needs a user name.</source>
        <translation>此用户无法使用 FUSE：fusermount3 需要用户名。</translation>
    </message>
    <message>
        <source>FUSE isn&apos;t available: /dev/fuse: {reason}.</source>
        <translation>FUSE 不可用:/dev/fuse:{reason}。</translation>
    </message>
    <message>
        <source>FUSE isn&apos;t available: there&apos;s no /dev/fuse.</source>
        <translation>FUSE 不可用:没有 /dev/fuse。</translation>
    </message>
    <message>
        <source>Failed: {why}</source>
        <translation>失败：{why}</translation>
    </message>
    <message>
        <source>Fast disk: a faster decoder (pip install numba), or Q8 with enough RAM.</source>
        <translation>快速磁盘：使用更快的解码器（pip install numba），或在内存足够时使用 Q8。</translation>
    </message>
    <message>
        <source>Faster than the disk measurement found possible: the disk was busy then, or a cache below this machine&apos;s had the file.</source>
        <translation>比磁盘测速测得的上限还快：测速时磁盘正忙，或本机之下的缓存中有该文件。</translation>
    </message>
    <message>
        <source>Faster, but too early to tell</source>
        <translation>更快，但为时尚早，无法断定</translation>
    </message>
    <message>
        <source>Fastest cold start</source>
        <translation>最快冷启动</translation>
    </message>
    <message>
        <source>Fastest cold start, from the disk measurement: about {time} ({kind}).</source>
        <translation>根据磁盘测量，最快的冷启动：约 {time}（{kind}）。</translation>
    </message>
    <message>
        <source>Fastest warm start</source>
        <translation>最快热启动</translation>
    </message>
    <message>
        <source>Faults</source>
        <translation>缺页</translation>
    </message>
    <message>
        <source>Fetch the real file: run `git annex get` in its folder.</source>
        <translation>请取得真正的文件：在其文件夹中运行 `git annex get`。</translation>
    </message>
    <message>
        <source>Fetch the real file: run `git lfs pull` in its folder.</source>
        <translation>请获取真实文件：在其文件夹中运行 `git lfs pull`。</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Figures of the selected range and block</source>
        <translation>所选区间和块的数值</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Files and folders</source>
        <translation>文件和文件夹</translation>
    </message>
    <message>
        <source>Files in memory ({filesystem}) have no cold start: they&apos;re always cached.</source>
        <translation>内存中的文件（{filesystem}）没有冷启动：它们始终在缓存中。</translation>
    </message>
    <message>
        <source>Files in memory have no cold start</source>
        <translation>内存中的文件没有冷启动</translation>
    </message>
    <message>
        <source>Fill the page cache before the start, when the time for it is free.</source>
        <translation>请在启动前的空闲时间填充页缓存。</translation>
    </message>
    <message>
        <source>Fill the page cache first (timed). read: reads the file; populate: maps all pages.</source>
        <translation>先填充页缓存（计时）。read：读取文件；populate：映射所有页。</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Filter the models that were found</source>
        <translation>筛选找到的模型</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>寻找</translation>
    </message>
    <message>
        <source>Find a faster setting</source>
        <translation>找到更快的设置</translation>
    </message>
    <message>
        <source>Find and run any command; all keys</source>
        <translation>查找并执行任意命令；列出所有按键</translation>
    </message>
    <message>
        <source>Find best</source>
        <translation>寻找最佳</translation>
    </message>
    <message>
        <source>Find best details</source>
        <translation>寻找最佳：详细信息</translation>
    </message>
    <message>
        <source>Find best ended.</source>
        <translation>寻找最佳已结束。</translation>
    </message>
    <message>
        <source>Find best finished after {time}</source>
        <translation>寻找最佳已完成，用时 {time}</translation>
    </message>
    <message>
        <source>Find best not finished</source>
        <translation>寻找最佳未完成</translation>
    </message>
    <message>
        <source>Find best ranking</source>
        <translation>寻找最佳的排名</translation>
    </message>
    <message>
        <source>Find best started: {goal}, {count} strategies</source>
        <translation>已开始寻找最佳：{goal}，{count} 种策略</translation>
    </message>
    <message>
        <source>Find best stopped after {count} runs, begun {when}.</source>
        <translation>寻找最佳在 {count} 次运行后停止，{when} 开始。</translation>
    </message>
    <message>
        <source>Find best stopped before any run finished.</source>
        <translation>寻找最佳已停止，没有任何运行完成。</translation>
    </message>
    <message>
        <source>Find best tests every strategy that works here. The ranking appears here.</source>
        <translation>“寻找最佳”会测试此处可用的所有策略。排名将显示在这里。</translation>
    </message>
    <message>
        <source>Find best, {place}</source>
        <translation>寻找最佳，{place}</translation>
    </message>
    <message>
        <source>Find best, {way}: {time}, {start}</source>
        <translation>寻找最佳，{way}：{time}，{start}</translation>
    </message>
    <message>
        <source>Find best: {count} strategies</source>
        <translation>寻找最佳：{count} 种策略</translation>
    </message>
    <message>
        <source>Find best: {way} can&apos;t run. {why}</source>
        <translation>寻找最佳：{way} 无法运行。{why}</translation>
    </message>
    <message>
        <source>Find best…</source>
        <translation>寻找最佳…</translation>
    </message>
    <message>
        <source>Find block or tensor</source>
        <translation>查找块或张量</translation>
    </message>
    <message>
        <source>Find in runs</source>
        <translation>在运行中查找</translation>
    </message>
    <message>
        <source>Find it with iotop or pidstat -d 1, then close it or wait.</source>
        <translation>用 iotop 或 pidstat -d 1 找出它，等它结束或先终止它再测量。</translation>
    </message>
    <message>
        <source>Find the best of its load settings{terminal}.</source>
        <translation>请为它寻找最佳的加载设置{terminal}。</translation>
    </message>
    <message>
        <source>Find the fastest cold start instead{terminal}.</source>
        <translation>改为寻找最快的冷启动{terminal}。</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>发现</translation>
    </message>
    <message>
        <source>Finish it with the program that began it, then open the finished file.</source>
        <translation>请用最初的程序完成下载，然后打开完成的文件。</translation>
    </message>
    <message>
        <source>Finish or repeat the download.</source>
        <translation>请完成或重新下载。</translation>
    </message>
    <message>
        <source>Finish the download, or move all files of the model into one folder.</source>
        <translation>请完成下载，或把模型的全部文件移到同一个文件夹。</translation>
    </message>
    <message>
        <source>Finished runs stay in the history.</source>
        <translation>已完成的运行会保留在历史中。</translation>
    </message>
    <message>
        <source>First</source>
        <translation>最先</translation>
    </message>
    <message>
        <source>First ready</source>
        <translation>首个就绪</translation>
    </message>
    <message>
        <source>First start: {time}</source>
        <translation>首次启动：{time}</translation>
    </message>
    <message>
        <source>Fits</source>
        <translation>放得下</translation>
    </message>
    <message>
        <source>Fits in memory: {model} of {memory} free.</source>
        <translation>内存放得下：{model}，可用 {memory}。</translation>
    </message>
    <message>
        <source>Fits in memory: {model} of {memory} left below the cgroup limit.</source>
        <translation>内存够用：{model}，cgroup 限制之下还剩 {memory}。</translation>
    </message>
    <message>
        <source>Fix</source>
        <translation>解决办法</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Folder of a virtual environment, or its Python</source>
        <translation>虚拟环境的文件夹或其中的 Python</translation>
    </message>
    <message>
        <source>Folder on the server</source>
        <translation>服务器上的文件夹</translation>
    </message>
    <message>
        <source>Folders</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Follow the load (F)</source>
        <translation>跟随加载 (F)</translation>
    </message>
    <message>
        <source>Follow the load on or off</source>
        <translation>开启或关闭跟随加载</translation>
    </message>
    <message>
        <source>For</source>
        <translation>用于</translation>
    </message>
    <message>
        <source>For now: too few runs</source>
        <translation>暂用：运行太少</translation>
    </message>
    <message>
        <source>For {nodes} nodes expect {value} ({low} to {high}): extrapolated, not measured.</source>
        <translation>{nodes} 个节点预计为 {value}（{low} 到 {high}）：此为外推，并非实测。</translation>
    </message>
    <message>
        <source>Form</source>
        <translation>形式</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Found here</source>
        <translation>在此找到</translation>
    </message>
    <message>
        <source>Found on this machine</source>
        <translation>本机上的模型</translation>
    </message>
    <message>
        <source>Found on {host}</source>
        <translation>在 {host} 上找到</translation>
    </message>
    <message>
        <source>Four threads make the hard disk seek {seeks} times: {wait} of {time}.</source>
        <translation>四个线程使机械硬盘寻道 {seeks} 次:{time} 中的 {wait}。</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>Free memory or raise the memory limit.</source>
        <translation>请释放内存，或提高内存限制。</translation>
    </message>
    <message>
        <source>Free memory until the file fits in the page cache.</source>
        <translation>请释放内存，使文件能放入缓存。</translation>
    </message>
    <message>
        <source>Free memory up to 1.5× the model&apos;s size, or load it mapped (usable, not owned).</source>
        <translation>请留出模型 1.5 倍的可用内存，或以映射方式加载（usable，而非 owned）。</translation>
    </message>
    <message>
        <source>Free memory wasn&apos;t conditioned first; on a virtual machine it may be slow.</source>
        <translation>未预先触碰空闲内存；在虚拟机上它可能很慢。</translation>
    </message>
    <message>
        <source>Free memory, or load a part.</source>
        <translation>请释放一些内存。</translation>
    </message>
    <message>
        <source>Free memory, raise the limit, add RAM, use a smaller quantization, or stream it with direct I/O. With mmap it is read from disk again and again.</source>
        <translation>请释放内存、提高限制、增加内存、使用更小的量化，或用直接 I/O 流式读取。使用 mmap 时会一再从磁盘读取。</translation>
    </message>
    <message>
        <source>Free memory, set delivery to streamed, or set access to mmap{terminal}.</source>
        <translation>释放内存，将“交付”设为 streamed，或将“访问”设为 mmap{terminal}。</translation>
    </message>
    <message>
        <source>Free memory, then measure again.</source>
        <translation>请释放内存，然后重新测量。</translation>
    </message>
    <message>
        <source>Free space</source>
        <translation>可用空间</translation>
    </message>
    <message>
        <source>Free space on that disk.</source>
        <translation>请释放该磁盘的空间。</translation>
    </message>
    <message>
        <source>Free space there, or choose another folder with MODELMON_DATA_DIR.</source>
        <translation>请释放那里的空间，或用 MODELMON_DATA_DIR 选择其他文件夹。</translation>
    </message>
    <message>
        <source>From a block&apos;s first request until it&apos;s ready. Shorter is better.</source>
        <translation>从某块的第一个请求到它就绪。越短越好。</translation>
    </message>
    <message>
        <source>From disk</source>
        <translation>来自磁盘</translation>
    </message>
    <message>
        <source>From how many nodes on they use up what all share.</source>
        <translation>从多少个节点起会用尽所有节点共享的带宽。</translation>
    </message>
    <message>
        <source>From its first byte on, as fast as this disk and memory can give the model.</source>
        <translation>从它的第一个字节起，以此磁盘和内存能够提供模型的最快速度。</translation>
    </message>
    <message>
        <source>From its start, median of the runs</source>
        <translation>自启动算起，各次运行的中位数</translation>
    </message>
    <message>
        <source>From start to ready</source>
        <translation>从启动到就绪</translation>
    </message>
    <message>
        <source>From storage</source>
        <translation>来自存储</translation>
    </message>
    <message>
        <source>From the fastest to the slowest run. The narrower, the surer is a verdict.</source>
        <translation>从最快到最慢的运行。范围越窄，结论越可靠。</translation>
    </message>
    <message>
        <source>From the first to the last byte of the model, median of the runs</source>
        <translation>从模型的第一个字节到最后一个字节，各次运行的中位数</translation>
    </message>
    <message>
        <source>From the history, modelmon export RUN writes it without --for.</source>
        <translation>对历史记录，请用 modelmon export RUN（不带 --for）写出。</translation>
    </message>
    <message>
        <source>From the page cache it takes {time}. No byte comes from the disk, so this says nothing about it.</source>
        <translation>从页缓存加载需 {time}。没有任何字节来自磁盘，因此这说明不了磁盘的快慢。</translation>
    </message>
    <message>
        <source>From the start until every byte is in memory. Lower is better.</source>
        <translation>从开始到每个字节都在内存中。越低越好。</translation>
    </message>
    <message>
        <source>Full comparison</source>
        <translation>完整的对比</translation>
    </message>
    <message>
        <source>Full ranking</source>
        <translation>完整的排名</translation>
    </message>
    <message>
        <source>Full result</source>
        <translation>完整结果</translation>
    </message>
    <message>
        <source>GB (1000 MB)</source>
        <translation>GB（1000 MB）</translation>
    </message>
    <message>
        <source>GGUF</source>
        <translation>GGUF</translation>
    </message>
    <message>
        <source>GGUF version is {version}; versions 2 and 3 can be read.</source>
        <translation>GGUF 版本是 {version}；可以读取版本 2 和 3。</translation>
    </message>
    <message>
        <source>GKE mount options</source>
        <translation>GKE 挂载选项</translation>
    </message>
    <message>
        <source>Getting ready</source>
        <translation>等待就绪</translation>
    </message>
    <message>
        <source>GiB (1024 MiB)</source>
        <translation>GiB（1024 MiB）</translation>
    </message>
    <message>
        <source>Give a strategy&apos;s name, a LoadConfig, or the path of an exported file.</source>
        <translation>请给出策略名称、LoadConfig 或导出文件的路径。</translation>
    </message>
    <message>
        <source>Give each file its own name.</source>
        <translation>请为每个文件指定不同的名称。</translation>
    </message>
    <message>
        <source>Give each once.</source>
        <translation>请每个只给出一次。</translation>
    </message>
    <message>
        <source>Give its number and how many there are: (0, 2).</source>
        <translation>请给出它的编号和总数：(0, 2)。</translation>
    </message>
    <message>
        <source>Give names of tensors or blocks, or patterns of them.</source>
        <translation>请给出张量或块的名称，或名称模式。</translation>
    </message>
    <message>
        <source>Give the Python that has the packages, such as .venv/bin/python.</source>
        <translation>请指定装有这些软件包的 Python，例如 .venv/bin/python。</translation>
    </message>
    <message>
        <source>Give the files their names back, such as model-00001-of-00003.gguf.</source>
        <translation>请恢复文件原来的名称，例如 model-00001-of-00003.gguf。</translation>
    </message>
    <message>
        <source>Give the folder of a virtual environment, or its Python.</source>
        <translation>请指定虚拟环境的文件夹或其中的 Python。</translation>
    </message>
    <message>
        <source>Give the path of the program, or make it executable with chmod +x.</source>
        <translation>请给出程序的路径，或用 chmod +x 使其可执行。</translation>
    </message>
    <message>
        <source>Give the program&apos;s name.</source>
        <translation>请给出程序的名称。</translation>
    </message>
    <message>
        <source>Give the whole command again, with it in place of […].</source>
        <translation>请重新给出完整的命令，并用它替换 […]。</translation>
    </message>
    <message>
        <source>Go to the end</source>
        <translation>转到结尾</translation>
    </message>
    <message>
        <source>Go to the first match of the search</source>
        <translation>转到第一个匹配项</translation>
    </message>
    <message>
        <source>Go to the start</source>
        <translation>转到开头</translation>
    </message>
    <message>
        <source>Goal</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>Governor</source>
        <translation>调速器</translation>
    </message>
    <message>
        <source>Half of the runs took less, half took more. Lower is better.</source>
        <translation>一半的运行更快，一半更慢。越低越好。</translation>
    </message>
    <message>
        <source>Hard disk, any program: modelmon warm MODEL reads it in order, then start.</source>
        <translation>机械硬盘，任何程序：先用 modelmon warm MODEL 按顺序读取，再启动程序。</translation>
    </message>
    <message>
        <source>Hard disk, your own code: use one reader, as --strategy sequential does.</source>
        <translation>机械硬盘，自己的代码：只用一个读取器，如 --strategy sequential。</translation>
    </message>
    <message>
        <source>Hard disk: Q4 read in order is {factor}× as fast as mapped by four threads</source>
        <translation>机械硬盘：Q4 按顺序读取的速度是四线程映射的 {factor} 倍</translation>
    </message>
    <message>
        <source>Heat</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Help explains each plot and plays published cases. File has Export for settings, and Share for a report.</source>
        <translation>“帮助”解释每个图表并演示公开案例。“文件”中有导出设置和分享报告。</translation>
    </message>
    <message>
        <source>Here get_tensor copies into numpy: it reads everything before it returns.</source>
        <translation>这里的 get_tensor 会复制到 numpy：返回之前已全部读完。</translation>
    </message>
    <message>
        <source>Here: {model} of bf16 on a simulated disk that reads {rate}.</source>
        <translation>此处:模拟磁盘(读取 {rate})上的 {model} bf16 模型。</translation>
    </message>
    <message>
        <source>Here: {model} on a simulated object store. Each GET waits {wait}, then gives {rate} MB/s.</source>
        <translation>这里：{model} 的模型放在模拟的对象存储上。每次 GET 先等待 {wait}，然后以 {rate} MB/s 传输。</translation>
    </message>
    <message>
        <source>Here: {q4} of Q4_K_M and {q8} of Q8_0, decoded to float32 by gguf&apos;s decoder.</source>
        <translation>此处:{q4} 的 Q4_K_M 与 {q8} 的 Q8_0,由 gguf 自带解码器解码为 float32。</translation>
    </message>
    <message>
        <source>Hide plot</source>
        <translation>隐藏此图</translation>
    </message>
    <message>
        <source>High confidence</source>
        <translation>可信度高</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>History…</source>
        <translation>历史…</translation>
    </message>
    <message>
        <source>Holes load at memory speed. Copy the file without holes before measuring.</source>
        <translation>空洞以内存的速度加载。测量前，请把文件复制成没有空洞的一份。</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>How far a second thread reads ahead of each reader. Helps readers that wait for storage.</source>
        <translation>第二个线程在每个读取器之前预读多远。有助于等待存储的读取器。</translation>
    </message>
    <message>
        <source>How far the kernel reads ahead of buffered reads in order. More helps mmap and single readers.</source>
        <translation>内核在按顺序的缓冲读取之前预读多远。更大有助于 mmap 和单个读取器。</translation>
    </message>
    <message>
        <source>How fast does the model load on many nodes at once?</source>
        <translation>模型在许多节点上同时加载有多快？</translation>
    </message>
    <message>
        <source>How fast the model arrives in memory. A flat line at the disk limit can&apos;t be better; a gap is a wait. Loaded far above read: the page cache supplied the rest.</source>
        <translation>模型到达内存的速度。平直地处于磁盘上限即为最佳；空隙表示等待。加载量远高于读取量：其余由页缓存提供。</translation>
    </message>
    <message>
        <source>How it was measured</source>
        <translation>测量方式</translation>
    </message>
    <message>
        <source>How long bytes of it arrived, without the waits between.</source>
        <translation>其字节到达所用的时间，不含中间的等待。</translation>
    </message>
    <message>
        <source>How long the phase took. All phases add up to the whole wait.</source>
        <translation>该阶段的用时。所有阶段之和即为全部等待时间。</translation>
    </message>
    <message>
        <source>How many of the load&apos;s readers wait for storage. High all the time: storage is the limit. Low: look at CPU, page faults or decoding.</source>
        <translation>有多少读取器在等待存储。一直很高：存储是瓶颈。很低：请看 CPU、缺页或解码。</translation>
    </message>
    <message>
        <source>How many processes load at once, like the workers of several GPUs</source>
        <translation>同时加载的进程数，如同多块 GPU 的工作进程</translation>
    </message>
    <message>
        <source>How many readers share the work. Exactly one of them reads each byte.</source>
        <translation>由多少个读取器分担工作。每个字节只由其中一个读取。</translation>
    </message>
    <message>
        <source>How many times as fast as the runs above. Above 1× is faster.</source>
        <translation>速度是上面所选运行的多少倍。大于 1 倍为更快。</translation>
    </message>
    <message>
        <source>How much later than the first node it began. Less is better.</source>
        <translation>比第一个节点晚开始多久。越少越好。</translation>
    </message>
    <message>
        <source>How often the load touched pages that weren&apos;t mapped yet. Only mapped loads have many. Major faults wait for storage: a map that is read in small pieces.</source>
        <translation>加载访问尚未映射的页的频率。只有映射加载才会很多。主要缺页需等待存储：映射在以小块读取。</translation>
    </message>
    <message>
        <source>Huge pages</source>
        <translation>大页</translation>
    </message>
    <message>
        <source>I/O pressure is unknown here: it needs Linux 4.20 or later with PSI enabled.</source>
        <translation>此处无法得知 I/O 压力：需要 Linux 4.20 或更高版本并启用 PSI。</translation>
    </message>
    <message>
        <source>I/O wait</source>
        <translation>I/O 等待</translation>
    </message>
    <message>
        <source>I/O wait now</source>
        <translation>当前 I/O 等待</translation>
    </message>
    <message>
        <source>Idle: {requests}, {busy} busy. Run A or B to see the disk at work.</source>
        <translation>空闲时：{requests}，{busy} 繁忙。运行 A 或 B，查看磁盘工作的情况。</translation>
    </message>
    <message>
        <source>If each saves as much as it can: what&apos;s in Phases, together.</source>
        <translation>各项都节省到最多时：即“阶段”中所列之和。</translation>
    </message>
    <message>
        <source>If memory is short: it uses {held} of private memory.</source>
        <translation>若内存紧张：它占用 {held} 私有内存。</translation>
    </message>
    <message>
        <source>If programs are slow, close some before loading. Otherwise it does no harm.</source>
        <translation>若程序变慢，请在加载前关闭一些；否则并无害处。</translation>
    </message>
    <message>
        <source>If you can, clear the server&apos;s cache before each run{terminal}.</source>
        <translation>如有可能，请在每次运行前清除服务器的缓存{terminal}。</translation>
    </message>
    <message>
        <source>If you load the model again soon: it leaves {left} of the file in the page cache.</source>
        <translation>若模型很快会再次加载：它在页缓存中留下文件的 {left}。</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>映像</translation>
    </message>
    <message>
        <source>Import recordings</source>
        <translation>导入记录</translation>
    </message>
    <message>
        <source>Import recording…</source>
        <translation>导入记录…</translation>
    </message>
    <message>
        <source>Imported</source>
        <translation>已导入</translation>
    </message>
    <message>
        <source>Imported 1 of {count} recordings: run {run}.</source>
        <translation>已导入 {count} 份记录中的 1 份：运行 {run}。</translation>
    </message>
    <message>
        <source>Imported runs are listed, but never compared with others.</source>
        <translation>导入的运行会列出，但绝不与其他运行对比。</translation>
    </message>
    <message>
        <source>Imported {path} as run {run_id}.</source>
        <translation>已将 {path} 导入为运行 {run_id}。</translation>
    </message>
    <message>
        <source>Imported {taken} of {count} recordings: runs {runs}.</source>
        <translation>已导入 {count} 份记录中的 {taken} 份：运行 {runs}。</translation>
    </message>
    <message>
        <source>Importing {count} recordings</source>
        <translation>正在导入 {count} 份记录</translation>
    </message>
    <message>
        <source>Importing {file}</source>
        <translation>正在导入 {file}</translation>
    </message>
    <message>
        <source>In a plot</source>
        <translation>在图中</translation>
    </message>
    <message>
        <source>In a replay</source>
        <translation>在回放中</translation>
    </message>
    <message>
        <source>In the Find best ranking</source>
        <translation>在“寻找最佳”的排名中</translation>
    </message>
    <message>
        <source>In the documentation by 0.10.2</source>
        <translation>最晚见于 0.10.2 的文档</translation>
    </message>
    <message>
        <source>In the documentation by 0.6.6</source>
        <translation>最迟在 0.6.6 的文档中已有</translation>
    </message>
    <message>
        <source>In the documentation by 0.8.4</source>
        <translation>最迟在 0.8.4 的文档中已有</translation>
    </message>
    <message>
        <source>In the list of recent models</source>
        <translation>在最近的模型列表中</translation>
    </message>
    <message>
        <source>In the model tree</source>
        <translation>在模型树中</translation>
    </message>
    <message>
        <source>In the plots</source>
        <translation>在图中</translation>
    </message>
    <message>
        <source>In use</source>
        <translation>已使用</translation>
    </message>
    <message>
        <source>In use by</source>
        <translation>使用者</translation>
    </message>
    <message>
        <source>Include libraries</source>
        <translation>包括第三方库</translation>
    </message>
    <message>
        <source>Index of a sharded model</source>
        <translation>分片模型的索引</translation>
    </message>
    <message>
        <source>Install OpenSSH&apos;s client.</source>
        <translation>请安装 OpenSSH 客户端。</translation>
    </message>
    <message>
        <source>Install it there, or give the Python that has it{terminal}.</source>
        <translation>请在那里安装它，或指定装有它的 Python{terminal}。</translation>
    </message>
    <message>
        <source>Install it: pip install &apos;ray[client]&apos;.</source>
        <translation>安装：pip install &apos;ray[client]&apos;。</translation>
    </message>
    <message>
        <source>Install it: pip install py-spy</source>
        <translation>安装方法：pip install py-spy</translation>
    </message>
    <message>
        <source>Install the faster decoders: pip install numba.</source>
        <translation>安装更快的解码器：pip install numba。</translation>
    </message>
    <message>
        <source>Install the package fuse3, or run as root; in a container: --device /dev/fuse --cap-add SYS_ADMIN.</source>
        <translation>请安装 fuse3 软件包,或以 root 运行;在容器中:--device /dev/fuse --cap-add SYS_ADMIN。</translation>
    </message>
    <message>
        <source>Install the same modelmon version on both sides.</source>
        <translation>请在两端安装相同版本的 modelmon。</translation>
    </message>
    <message>
        <source>Install the version that wrote the recording.</source>
        <translation>请安装写入该记录的版本。</translation>
    </message>
    <message>
        <source>Install these there: Python 3.11 or newer, msgspec, psutil.</source>
        <translation>请在那里安装：Python 3.11 或更新版本、msgspec、psutil。</translation>
    </message>
    <message>
        <source>Installed libraries that can load this model. They can&apos;t be exported.</source>
        <translation>已安装且能加载此模型的库。它们无法导出。</translation>
    </message>
    <message>
        <source>Invalid config: {value}.</source>
        <translation>无效的配置：{value}。</translation>
    </message>
    <message>
        <source>It already has a name: {name}.</source>
        <translation>已有名称：{name}。</translation>
    </message>
    <message>
        <source>It can&apos;t be resumed. Start Find best again.</source>
        <translation>无法继续。请重新开始寻找最佳。</translation>
    </message>
    <message>
        <source>It compares {a} (A) with {b} (B).</source>
        <translation>对比 {a}（A）与 {b}（B）。</translation>
    </message>
    <message>
        <source>It converts or mixes up tensors, so it can&apos;t be compared.</source>
        <translation>它转换了所加载的内容，或弄混了张量：无法对比。</translation>
    </message>
    <message>
        <source>It decodes two tokens as a test: no setting turns that off.</source>
        <translation>它会试解码两个 token，没有设置可以关闭这一步。</translation>
    </message>
    <message>
        <source>It exits</source>
        <translation>程序退出</translation>
    </message>
    <message>
        <source>It gives a first token</source>
        <translation>给出第一个 token</translation>
    </message>
    <message>
        <source>It goes into your Windows user folder. Run wsl --shutdown, then start WSL again.</source>
        <translation>它放在您的 Windows 用户文件夹中。请运行 wsl --shutdown，然后重新启动 WSL。</translation>
    </message>
    <message>
        <source>It had loaded {loaded}; the load needs {needed}.</source>
        <translation>它已加载 {loaded}；整个加载需要 {needed}。</translation>
    </message>
    <message>
        <source>It has asked a running program</source>
        <translation>它请求了一个正在运行的程序</translation>
    </message>
    <message>
        <source>It has {files} and {count} more open.</source>
        <translation>它打开了 {files} 和另外 {count} 个文件。</translation>
    </message>
    <message>
        <source>It has {files} open.</source>
        <translation>它打开了 {files}。</translation>
    </message>
    <message>
        <source>It helps programs that map the model or read it through the cache, while it fits in memory; direct I/O doesn&apos;t use it.</source>
        <translation>对于映射模型或经缓存读取模型的程序，只要模型放得进内存，这就有帮助；直接 I/O 不使用它。</translation>
    </message>
    <message>
        <source>It leaves {left} of the file in the page cache, so the next start reads the disk again.</source>
        <translation>它在页缓存中只留下文件的 {left}，所以下次启动会再次读取磁盘。</translation>
    </message>
    <message>
        <source>It listens on a port</source>
        <translation>监听端口</translation>
    </message>
    <message>
        <source>It loaded {share} of the model: {subset}.</source>
        <translation>它只加载了模型的 {share}：{subset}。</translation>
    </message>
    <message>
        <source>It loads complete models of the architectures that it knows.</source>
        <translation>它只能加载它所支持架构的完整模型。</translation>
    </message>
    <message>
        <source>It loads up to 8 files at once; no variable changes that.</source>
        <translation>它最多同时加载 8 个文件；没有变量可以更改这一点。</translation>
    </message>
    <message>
        <source>It may be just as fast: no clear difference.</source>
        <translation>它可能一样快：无明显差异。</translation>
    </message>
    <message>
        <source>It seems to reach {rate}, {factor}× what the disk can do.</source>
        <translation>看似达到 {rate},是磁盘能力的 {factor} 倍。</translation>
    </message>
    <message>
        <source>It should take about {time} here. Run it again, or measure the disk again.</source>
        <translation>在此处预计约需 {time}。请再运行一次，或重新进行磁盘测速。</translation>
    </message>
    <message>
        <source>It takes at least {least}; choose a larger size or fewer layers.</source>
        <translation>至少需要 {least}；请选择更大的大小或更少的层数。</translation>
    </message>
    <message>
        <source>It takes the package instanttensor and an NVIDIA GPU. Without one, --load-format runai_streamer has several readers, through the page cache.</source>
        <translation>它需要 instanttensor 软件包和 NVIDIA GPU。没有时，--load-format runai_streamer 使用多个读取器，经由页缓存读取。</translation>
    </message>
    <message>
        <source>It takes the package runai-model-streamer. Variables alone change nothing: the command&apos;s --load-format makes vLLM use it.</source>
        <translation>它需要软件包 runai-model-streamer。仅设置变量不起作用：命令中的 --load-format 才会让 vLLM 使用它。</translation>
    </message>
    <message>
        <source>It takes the package {package}.</source>
        <translation>它需要软件包 {package}。</translation>
    </message>
    <message>
        <source>It took {time}.</source>
        <translation>用时 {time}。</translation>
    </message>
    <message>
        <source>It turns loading with several threads off (July 2026).</source>
        <translation>它会关闭多线程加载（2026 年 7 月）。</translation>
    </message>
    <message>
        <source>It turns mmap off automatically with a LoRA file.</source>
        <translation>给出 LoRA 文件时，它会自动关闭 mmap。</translation>
    </message>
    <message>
        <source>It used another model, or the file has changed since.</source>
        <translation>它使用的是其他模型，或文件此后已更改。</translation>
    </message>
    <message>
        <source>It uses {held} of private memory; {label} uses {held2} ({change}).</source>
        <translation>它使用 {held} 系统无法回收的内存；{label} 使用 {held2}（{change}）。</translation>
    </message>
    <message>
        <source>It waits for other files than the model: keep them on a fast local disk.</source>
        <translation>它在等待模型以外的文件：请把这些文件放在快速的本地磁盘上。</translation>
    </message>
    <message>
        <source>It was already running and continues.</source>
        <translation>它此前已在运行，并会继续运行。</translation>
    </message>
    <message>
        <source>It was not seen.</source>
        <translation>未能观察到。</translation>
    </message>
    <message>
        <source>It was saved with the earlier runs. Run only what you know.</source>
        <translation>它与先前的运行一起保存。请只运行您了解的命令。</translation>
    </message>
    <message>
        <source>It was stopped {time} before its time limit.</source>
        <translation>在时限前 {time} 被停止。</translation>
    </message>
    <message>
        <source>It was taken from bytes read.</source>
        <translation>它由读取的字节数推断。</translation>
    </message>
    <message>
        <source>It wasn&apos;t measured on a cluster before</source>
        <translation>此前未在集群上测量过它</translation>
    </message>
    <message>
        <source>It {clause}.</source>
        <translation>它{clause}。</translation>
    </message>
    <message>
        <source>It&apos;s ended once it&apos;s ready.</source>
        <translation>就绪后即被结束。</translation>
    </message>
    <message>
        <source>It&apos;s {size} now. Direct I/O has no readahead, and programs that read here and there fetch more than they need.</source>
        <translation>现在是 {size}。直接 I/O 没有预读，而零散读取的程序会取回多于所需的内容。</translation>
    </message>
    <message>
        <source>Its command isn&apos;t in the result.</source>
        <translation>结果中没有它的命令。</translation>
    </message>
    <message>
        <source>Its default, --load-mode auto, maps too, unless a GPU can&apos;t.</source>
        <translation>其默认值 --load-mode auto 同样使用映射，除非 GPU 不支持。</translation>
    </message>
    <message>
        <source>Its files can&apos;t be opened here: export on the machine that has the model.</source>
        <translation>无法在此打开其文件：请在存有模型的机器上导出。</translation>
    </message>
    <message>
        <source>Its last output: {lines}</source>
        <translation>它最后的输出：{lines}</translation>
    </message>
    <message>
        <source>Its last words: {words}</source>
        <translation>其最后输出：{words}</translation>
    </message>
    <message>
        <source>Its model was moved, or was never on this machine.</source>
        <translation>其模型已移走，或从未在此机器上。</translation>
    </message>
    <message>
        <source>Its next start finds them in memory.</source>
        <translation>下次启动时它们已在内存中。</translation>
    </message>
    <message>
        <source>Its output matches</source>
        <translation>输出匹配</translation>
    </message>
    <message>
        <source>Its port was free when it was tested; choose your own.</source>
        <translation>测试时它的端口空闲；请选择您自己的端口。</translation>
    </message>
    <message>
        <source>Its projector isn&apos;t loaded with it: {files}.</source>
        <translation>其投影器不随之加载：{files}。</translation>
    </message>
    <message>
        <source>Its result is not affected.</source>
        <translation>其结果不受影响。</translation>
    </message>
    <message>
        <source>Its result isn&apos;t counted.</source>
        <translation>结果不计入。</translation>
    </message>
    <message>
        <source>Its result isn&apos;t saved.</source>
        <translation>其结果未保存。</translation>
    </message>
    <message>
        <source>Its settings are for {formats} only.</source>
        <translation>其设置仅适用于 {formats}。</translation>
    </message>
    <message>
        <source>Its storage isn&apos;t visible here: export on the model&apos;s machine.</source>
        <translation>在这里看不到它的存储：请在模型所在的机器上导出。</translation>
    </message>
    <message>
        <source>Its time isn&apos;t counted.</source>
        <translation>其用时不计入。</translation>
    </message>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source>JSON of all nodes and starts, can be opened again</source>
        <translation>全部节点和启动的 JSON，可再次打开</translation>
    </message>
    <message>
        <source>JSON of all runs, can be opened again</source>
        <translation>所有运行的 JSON，可再次打开</translation>
    </message>
    <message>
        <source>JSON of all runs, for modelmon export</source>
        <translation>所有运行的 JSON，供 modelmon export 使用</translation>
    </message>
    <message>
        <source>JSON of this run</source>
        <translation>此次运行的 JSON</translation>
    </message>
    <message>
        <source>Join it again</source>
        <translation>再次附加</translation>
    </message>
    <message>
        <source>Join running</source>
        <translation>附加到运行中的程序</translation>
    </message>
    <message>
        <source>Join the parts in their folder: {command} &gt; {whole}</source>
        <translation>请在其文件夹中合并各部分：{command} &gt; {whole}</translation>
    </message>
    <message>
        <source>Judgment</source>
        <translation>判断</translation>
    </message>
    <message>
        <source>June 2025</source>
        <translation>2025 年 6 月</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Keep another one with MODELMON_DATA_DIR.</source>
        <translation>请用 MODELMON_DATA_DIR 另存一份。</translation>
    </message>
    <message>
        <source>Keep in mind</source>
        <translation>请注意</translation>
    </message>
    <message>
        <source>Keep measuring</source>
        <translation>继续测量</translation>
    </message>
    <message>
        <source>Keep one of the two in the folder.</source>
        <translation>请在文件夹中只保留其中一种。</translation>
    </message>
    <message>
        <source>Keep the folder VLLM_CACHE_ROOT between starts: it has what is compiled.</source>
        <translation>请在多次启动之间保留 VLLM_CACHE_ROOT 文件夹：其中有编译结果。</translation>
    </message>
    <message>
        <source>Keep the other options of your mount. The cache needs room for the model: --cache-dir says where.</source>
        <translation>请保留挂载的其他选项。缓存需要有放得下模型的空间：用 --cache-dir 指定位置。</translation>
    </message>
    <message>
        <source>Keep {fast}: {share} less time than {slow}</source>
        <translation>保留 {fast}：用时比 {slow} 少 {share}</translation>
    </message>
    <message>
        <source>Keep {label}: fastest so far, {time}</source>
        <translation>保留 {label}：目前最快，{time}</translation>
    </message>
    <message>
        <source>Keep {label}: nothing as fast uses less memory</source>
        <translation>保留 {label}：同样快的策略中没有占用内存更少的</translation>
    </message>
    <message>
        <source>Keep {label}: nothing here is faster</source>
        <translation>保留 {label}：此处没有更快的</translation>
    </message>
    <message>
        <source>Keep {label}: {rival} is just as fast</source>
        <translation>保留 {label}：{rival} 一样快</translation>
    </message>
    <message>
        <source>Keep {label}: {rival} saves only {saved}</source>
        <translation>保留 {label}：{rival} 只节省 {saved}</translation>
    </message>
    <message>
        <source>Keeps 4,096 tokens of a conversation: it cuts off or refuses longer ones.</source>
        <translation>对话只保留 4,096 个 token：更长的对话会被截断或拒绝。</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Keys A and B; Shift+B shows both</source>
        <translation>按 A 和 B 键；Shift+B 显示两者</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Kind of file</source>
        <translation>文件类型</translation>
    </message>
    <message>
        <source>Known to be slow; not tested by default.</source>
        <translation>已知较慢；默认不测试。</translation>
    </message>
    <message>
        <source>LUKS, decrypted by the CPU</source>
        <translation>LUKS，由 CPU 解密</translation>
    </message>
    <message>
        <source>LVM volume</source>
        <translation>LVM 卷</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Larger requests, fewer waits: a device with 2 ms a request gave 93 MB/s at 128 KiB and 933 MB/s at 4 MiB. Not measured on this disk.</source>
        <translation>请求更大，等待次数更少：每个请求 2 ms 的设备，128 KiB 时为 93 MB/s，4 MiB 时为 933 MB/s。未在此磁盘上测量。</translation>
    </message>
    <message>
        <source>Largest difference</source>
        <translation>差异最大</translation>
    </message>
    <message>
        <source>Largest memory (RSS) of the load. Less leaves more for other programs.</source>
        <translation>加载时的最大内存（RSS）。越少，留给其他程序的越多。</translation>
    </message>
    <message>
        <source>Last ready</source>
        <translation>最后就绪</translation>
    </message>
    <message>
        <source>Latency</source>
        <translation>延迟</translation>
    </message>
    <message>
        <source>Later starts read the cache instead of the bucket. Not measured here.</source>
        <translation>之后的启动读取缓存，而不是存储桶。未在此测量。</translation>
    </message>
    <message>
        <source>Later starts read the cache instead of the remote. Not measured here.</source>
        <translation>之后的启动读取缓存，而不是远端存储。未在此测量。</translation>
    </message>
    <message>
        <source>Layers of the model, and what is outside them.</source>
        <translation>模型的各层，以及层外的部分。</translation>
    </message>
    <message>
        <source>Least memory the system can&apos;t reclaim, at up to 1.25× the fastest cold start</source>
        <translation>系统无法回收的内存最少，且用时不超过最快冷启动的 1.25 倍</translation>
    </message>
    <message>
        <source>Least time to load with nothing cached</source>
        <translation>没有任何缓存时，加载用时最短</translation>
    </message>
    <message>
        <source>Least time to load with the file in the page cache</source>
        <translation>文件已在页缓存中时，加载用时最短</translation>
    </message>
    <message>
        <source>Leave it out to see which it was.</source>
        <translation>省略它即可看到原来的命令。</translation>
    </message>
    <message>
        <source>Leave it out, or run modelmon on the server.</source>
        <translation>请去掉它，或在服务器上运行 modelmon。</translation>
    </message>
    <message>
        <source>Leave out --ranks-per-node, or load one copy per node.</source>
        <translation>请去掉 --ranks-per-node，或让每个节点加载一份副本。</translation>
    </message>
    <message>
        <source>Leave the page cache unchanged</source>
        <translation>页缓存保持不变</translation>
    </message>
    <message>
        <source>Leave the plot</source>
        <translation>离开此图</translation>
    </message>
    <message>
        <source>Leave the tour</source>
        <translation>退出导览</translation>
    </message>
    <message>
        <source>Leave them out for the whole model.</source>
        <translation>若要整个模型，请省略它们。</translation>
    </message>
    <message>
        <source>Leaves weights as they are: prompts on processors take longer.</source>
        <translation>权重保持原样：在处理器上处理提示词更慢。</translation>
    </message>
    <message>
        <source>Left in the cache</source>
        <translation>留在缓存中</translation>
    </message>
    <message>
        <source>Let Watch start it{terminal}.</source>
        <translation>请用“观察”启动它{terminal}。</translation>
    </message>
    <message>
        <source>Let it cool and check its fan before measuring.</source>
        <translation>测量前请让它冷却，并检查风扇。</translation>
    </message>
    <message>
        <source>Let it finish, or stop it.</source>
        <translation>请等它完成，或停止它。</translation>
    </message>
    <message>
        <source>Let the machine cool down, or raise its CPU limit.</source>
        <translation>请让机器冷却，或提高其 CPU 限制。</translation>
    </message>
    <message>
        <source>Let the writer finish, or mount it again, then run again.</source>
        <translation>请等写入完成或重新挂载，然后重新运行。</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>库</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Likely bottleneck: {what}</source>
        <translation>可能的瓶颈：{what}</translation>
    </message>
    <message>
        <source>Likely bottlenecks</source>
        <translation>可能的瓶颈</translation>
    </message>
    <message>
        <source>Likely {low}× to {high}× as fast.</source>
        <translation>速度很可能是原来的 {low} 到 {high} 倍。</translation>
    </message>
    <message>
        <source>Likely {low}× to {high}× as long.</source>
        <translation>用时很可能是原来的 {low} 到 {high} 倍。</translation>
    </message>
    <message>
        <source>Limit of this cgroup</source>
        <translation>此 cgroup 的上限</translation>
    </message>
    <message>
        <source>Lines of output: {count}.</source>
        <translation>输出行数：{count}。</translation>
    </message>
    <message>
        <source>List fewer --cudagraph-capture-sizes: other sizes run slower.</source>
        <translation>在 --cudagraph-capture-sizes 中少列几个大小：其他大小会变慢。</translation>
    </message>
    <message>
        <source>List runs: modelmon history.</source>
        <translation>列出运行：modelmon history。</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>加载</translation>
    </message>
    <message>
        <source>Load a larger model for curves{terminal}.</source>
        <translation>加载更大的模型以获得曲线{terminal}。</translation>
    </message>
    <message>
        <source>Load a portion, or map the model (access mmap).</source>
        <translation>请只加载一部分，或映射模型（access mmap）。</translation>
    </message>
    <message>
        <source>Load a portion.</source>
        <translation>请只加载一部分。</translation>
    </message>
    <message>
        <source>Load it with load_model of modelmon.core.</source>
        <translation>请用 modelmon.core 的 load_model 加载。</translation>
    </message>
    <message>
        <source>Load on several Ray nodes at once and compare speeds</source>
        <translation>在多个 Ray 节点上同时加载并比较速度</translation>
    </message>
    <message>
        <source>Load once with A&apos;s settings</source>
        <translation>按 A 的设置加载一次</translation>
    </message>
    <message>
        <source>Load once with B&apos;s settings</source>
        <translation>按 B 的设置加载一次</translation>
    </message>
    <message>
        <source>Load stopped.</source>
        <translation>加载已停止。</translation>
    </message>
    <message>
        <source>Load that rank alone (ranks 1), or all of them without choosing one.</source>
        <translation>请单独加载该并行秩（ranks 1），或不选择而加载全部。</translation>
    </message>
    <message>
        <source>Load the whole model for advice, streamed if it doesn&apos;t fit in memory: this run loaded a part.</source>
        <translation>请加载整个模型以获得建议，内存放不下时以流式加载：本次运行只加载了一部分。</translation>
    </message>
    <message>
        <source>Load the whole model, or choose another strategy for a part.</source>
        <translation>请加载整个模型，或为部分加载选择其他策略。</translation>
    </message>
    <message>
        <source>Load what is stored instead, without decoding.</source>
        <translation>请改为按存储的内容加载，不解码。</translation>
    </message>
    <message>
        <source>Loaded</source>
        <translation>已加载</translation>
    </message>
    <message>
        <source>Loaded when</source>
        <translation>加载完成标志</translation>
    </message>
    <message>
        <source>Loaded when: {sign}.</source>
        <translation>加载完成的标志：{sign}。</translation>
    </message>
    <message>
        <source>Loaded {load} of {model}; times are for this part.</source>
        <translation>加载了 {model} 中的 {load}；时间仅针对这一部分。</translation>
    </message>
    <message>
        <source>Loaded {part}.</source>
        <translation>已加载 {part}。</translation>
    </message>
    <message>
        <source>Loading</source>
        <translation>正在加载</translation>
    </message>
    <message>
        <source>Loading on {nodes}: {way}</source>
        <translation>正在 {nodes}上加载：{way}</translation>
    </message>
    <message>
        <source>Loading {share}</source>
        <translation>加载中 {share}</translation>
    </message>
    <message>
        <source>Loads it with one node, then 2, 4 and so on, through an existing Ray cluster</source>
        <translation>通过现有的 Ray 集群，先用一个节点加载，然后用 2 个、4 个，依此类推</translation>
    </message>
    <message>
        <source>Loads on this machine. Runs of one day count once, by their median. A change shows after two days, if there were five before.</source>
        <translation>本机上的加载。同一天的运行按中位数只计一次。若之前有五天，变化在两天后显示。</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Look for what reads it twice: a checksum, a copy, or several processes.</source>
        <translation>请查找是什么读取了两次：校验和、复制，或多个进程。</translation>
    </message>
    <message>
        <source>Looking for programs that can load this model</source>
        <translation>正在查找能加载此模型的程序</translation>
    </message>
    <message>
        <source>Looking for programs that load this model…</source>
        <translation>正在查找能加载此模型的程序…</translation>
    </message>
    <message>
        <source>Looking for the command&apos;s model</source>
        <translation>正在查找命令所用的模型</translation>
    </message>
    <message>
        <source>Looking for {program}</source>
        <translation>正在查找 {program}</translation>
    </message>
    <message>
        <source>Looks nothing up on the Hub: it misses updates.</source>
        <translation>不在 Hub 上查询：不会得到更新。</translation>
    </message>
    <message>
        <source>Low confidence</source>
        <translation>可信度低</translation>
    </message>
    <message>
        <source>Lowest memory</source>
        <translation>最低内存</translation>
    </message>
    <message>
        <source>MLP</source>
        <translation>MLP</translation>
    </message>
    <message>
        <source>MODEL is LM Studio&apos;s name for {file}. lms load has no such option.</source>
        <translation>MODEL 是 LM Studio 对 {file} 的名称。lms load 没有这样的选项。</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>Machine and load figures during the run</source>
        <translation>运行期间机器与加载的数据</translation>
    </message>
    <message>
        <source>Machine and storage</source>
        <translation>机器与存储</translation>
    </message>
    <message>
        <source>Make a run to replay first.</source>
        <translation>请先运行一次，再回放。</translation>
    </message>
    <message>
        <source>Make a run to save first.</source>
        <translation>请先运行一次，再保存。</translation>
    </message>
    <message>
        <source>Make the range the time axis of all plots</source>
        <translation>将此区间用作所有图的时间轴</translation>
    </message>
    <message>
        <source>Many nodes get less together than fewer: let them start one after another.</source>
        <translation>多个节点合计反而比较少节点时更慢：请让它们依次启动。</translation>
    </message>
    <message>
        <source>Mapped</source>
        <translation>映射</translation>
    </message>
    <message>
        <source>Mapped pages are the page cache&apos;s own: huge pages are chosen for private memory only.</source>
        <translation>映射页属于页缓存：大页只能用于私有内存。</translation>
    </message>
    <message>
        <source>Mapped pages of files in bytes, by the kernel. The system can reclaim and reread them.</source>
        <translation>映射的文件页，以字节计，由内核给出。系统可以回收并重新读取它们。</translation>
    </message>
    <message>
        <source>Maps cached parts, reads the rest.</source>
        <translation>映射已缓存的部分，读取其余部分。</translation>
    </message>
    <message>
        <source>March 2026</source>
        <translation>2026 年 3 月</translation>
    </message>
    <message>
        <source>March 2026; the number of threads: May 2026</source>
        <translation>2026 年 3 月；线程数：2026 年 5 月</translation>
    </message>
    <message>
        <source>Markdown (*.md)</source>
        <translation>Markdown (*.md)</translation>
    </message>
    <message>
        <source>Maximize</source>
        <translation>最大化</translation>
    </message>
    <message>
        <source>Maximize or restore the plot</source>
        <translation>最大化或还原此图</translation>
    </message>
    <message>
        <source>Mean number of requests under way at once. More readers keep more under way.</source>
        <translation>同时进行的请求的平均数量。读取器越多，同时进行的请求越多。</translation>
    </message>
    <message>
        <source>Mean size of a read request, by the kernel. Larger ones cost less each.</source>
        <translation>读取请求的平均大小，由内核给出。请求越大，每字节的开销越小。</translation>
    </message>
    <message>
        <source>Mean time that a read request takes, by the kernel. Lower is better.</source>
        <translation>一个读取请求平均所需的时间，由内核给出。越低越好。</translation>
    </message>
    <message>
        <source>Measure a cluster</source>
        <translation>测量集群</translation>
    </message>
    <message>
        <source>Measure a cluster…</source>
        <translation>测量集群…</translation>
    </message>
    <message>
        <source>Measure a model on its server, over SSH</source>
        <translation>通过 SSH 在模型所在处测量</translation>
    </message>
    <message>
        <source>Measure again after a change of disk, kernel or model.</source>
        <translation>更换磁盘、内核或模型后，请重新测量。</translation>
    </message>
    <message>
        <source>Measure again with this version.</source>
        <translation>用这个版本重新测量。</translation>
    </message>
    <message>
        <source>Measure again…</source>
        <translation>再次测量…</translation>
    </message>
    <message>
        <source>Measure as the file&apos;s owner, or with a copy of your own.</source>
        <translation>请以文件所有者的身份测量，或使用自己的副本。</translation>
    </message>
    <message>
        <source>Measure decoding</source>
        <translation>测量解码</translation>
    </message>
    <message>
        <source>Measure how fast this machine turns stored values into float32; takes a few seconds</source>
        <translation>测量本机将存储的值转换为 float32 的速度；需要几秒钟</translation>
    </message>
    <message>
        <source>Measure it again, or export for other programs: --for all.</source>
        <translation>请重新测量，或为其他程序导出：--for all。</translation>
    </message>
    <message>
        <source>Measure it there: modelmon.core.run, compare and best.</source>
        <translation>请在那里测量：modelmon.core.run、compare 和 best。</translation>
    </message>
    <message>
        <source>Measure it without decoding: programs decode these types on the GPU.</source>
        <translation>请在不解码的情况下测量：程序在 GPU 上解码这些类型。</translation>
    </message>
    <message>
        <source>Measure on the real storage before you decide.</source>
        <translation>做决定前,请在真实存储上测量。</translation>
    </message>
    <message>
        <source>Measure the cluster again.</source>
        <translation>请再次测量集群。</translation>
    </message>
    <message>
        <source>Measure the disk</source>
        <translation>磁盘测速</translation>
    </message>
    <message>
        <source>Measure the disk again while nothing else uses it{terminal}.</source>
        <translation>在没有其他程序使用磁盘时重新测量{terminal}。</translation>
    </message>
    <message>
        <source>Measure the disk again. If it&apos;s no faster, clear that cache before each run{terminal}.</source>
        <translation>请重新测量磁盘。若磁盘并未变快，请在每次运行前清除该缓存{terminal}。</translation>
    </message>
    <message>
        <source>Measure the disk to see how fast it could read.</source>
        <translation>请进行磁盘测速，以了解它本可以读得多快。</translation>
    </message>
    <message>
        <source>Measure the disk to see how fast it could read{terminal}.</source>
        <translation>测量磁盘，看看它能读多快{terminal}。</translation>
    </message>
    <message>
        <source>Measure the disk to see its limit{terminal}.</source>
        <translation>测量磁盘以了解其上限{terminal}。</translation>
    </message>
    <message>
        <source>Measure the disk to see its top speed.</source>
        <translation>测量磁盘，查看其最高速度。</translation>
    </message>
    <message>
        <source>Measure the disk to see whether it became slower{terminal}.</source>
        <translation>测量磁盘以了解它是否变慢{terminal}。</translation>
    </message>
    <message>
        <source>Measure the top speed of storage and memory in a few seconds; reads only the model</source>
        <translation>几秒内测出存储和内存的上限；只读取模型文件</translation>
    </message>
    <message>
        <source>Measure warm starts instead.</source>
        <translation>请改为测量热启动。</translation>
    </message>
    <message>
        <source>Measure warm starts, or clear the cache below this machine&apos;s before each run{terminal}.</source>
        <translation>请测量热启动，或在每次运行前清除本机之下的缓存{terminal}。</translation>
    </message>
    <message>
        <source>Measure warm starts, or copy the model to a disk.</source>
        <translation>请测量热启动，或将模型复制到磁盘。</translation>
    </message>
    <message>
        <source>Measure {storage} to see the fastest possible load.</source>
        <translation>测量 {storage}，查看可能的最快加载。</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>测量时间</translation>
    </message>
    <message>
        <source>Measured elsewhere: 25 GB in 115 s with a readahead of 128 KiB, 72 s with 1 MiB, 29 s with 16 MiB (GoogleCloudPlatform/ai-on-gke). Not measured here.</source>
        <translation>他处测得：加载 25 GB，预读 128 KiB 时 115 s，1 MiB 时 72 s，16 MiB 时 29 s（GoogleCloudPlatform/ai-on-gke）。未在此测量。</translation>
    </message>
    <message>
        <source>Measured elsewhere: 25 GB in 77 s with a cache on an SSD, 165 s without one (GoogleCloudPlatform/ai-on-gke). Not measured here.</source>
        <translation>他处测得：加载 25 GB，缓存在 SSD 上时 77 s，没有缓存时 165 s（GoogleCloudPlatform/ai-on-gke）。未在此测量。</translation>
    </message>
    <message>
        <source>Measured elsewhere: 7 s instead of 113 s (oobabooga/textgen#2607). Not measured here.</source>
        <translation>他处测得：7 s，而不是 113 s（oobabooga/textgen#2607）。未在此测量。</translation>
    </message>
    <message>
        <source>Measured here</source>
        <translation>在此实测</translation>
    </message>
    <message>
        <source>Measured here, {setting}</source>
        <translation>在此实测，{setting}</translation>
    </message>
    <message>
        <source>Measured here: the program itself was tested</source>
        <translation>在此实测：测试的是该程序本身</translation>
    </message>
    <message>
        <source>Measured on</source>
        <translation>测量环境</translation>
    </message>
    <message>
        <source>Measured on a part of the model: {why}.</source>
        <translation>只在模型的一部分上测量：{why}。</translation>
    </message>
    <message>
        <source>Measured with another file</source>
        <translation>用另一个文件测量</translation>
    </message>
    <message>
        <source>Measured with this file before its content changed.</source>
        <translation>测量时此文件的内容与现在不同。</translation>
    </message>
    <message>
        <source>Measured with {file}, same layout but other content.</source>
        <translation>用 {file} 测量，布局相同但内容不同。</translation>
    </message>
    <message>
        <source>Measured with {file}, same layout.</source>
        <translation>用 {file} 测量，布局相同。</translation>
    </message>
    <message>
        <source>Measured {when}, of another model: {model}.</source>
        <translation>{when} 测量，对象是另一个模型：{model}。</translation>
    </message>
    <message>
        <source>Measured {when}.</source>
        <translation>{when} 测量。</translation>
    </message>
    <message>
        <source>Measuring</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>Measuring decoding with all processors. The first time it takes up to a minute.</source>
        <translation>正在用所有处理器测量解码。首次测量最多需要一分钟。</translation>
    </message>
    <message>
        <source>Measuring the disk</source>
        <translation>正在测量磁盘</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>Median of {count} random reads of {size}, one at a time</source>
        <translation>{count} 次随机读取（每次 {size}，逐次进行）的中位数</translation>
    </message>
    <message>
        <source>Medium confidence</source>
        <translation>可信度中等</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Memory (RSS) of the loading processes in bytes, by the kernel.</source>
        <translation>加载进程的内存（RSS），以字节计，来自内核。</translation>
    </message>
    <message>
        <source>Memory (RSS) of the loading processes now, by the kernel.</source>
        <translation>加载进程当前的内存（RSS），来自内核。</translation>
    </message>
    <message>
        <source>Memory copy</source>
        <translation>内存复制</translation>
    </message>
    <message>
        <source>Memory couldn&apos;t be measured: the ranking is by time alone.</source>
        <translation>无法测量内存：仅按时间排名。</translation>
    </message>
    <message>
        <source>Memory isn&apos;t the cause: there is hardly any wait for it.</source>
        <translation>内存不是原因：几乎没有等待内存的情况。</translation>
    </message>
    <message>
        <source>Memory moved to disk. Loads that swap are slow, so less is better.</source>
        <translation>移到磁盘的内存。使用交换的加载很慢，因此越少越好。</translation>
    </message>
    <message>
        <source>Memory of
{size}</source>
        <translation>{size} 的
内存</translation>
    </message>
    <message>
        <source>Memory of the loading processes. Private memory is their own copy. Mapped pages are the page cache&apos;s: the system can drop and reread them.</source>
        <translation>加载进程的内存。私有内存是它们自己的副本。映射页属于页缓存：系统可以丢弃并重新读取。</translation>
    </message>
    <message>
        <source>Memory of {size}</source>
        <translation>{size} 的内存</translation>
    </message>
    <message>
        <source>Memory pressure</source>
        <translation>内存压力</translation>
    </message>
    <message>
        <source>Memory ran short during the load.</source>
        <translation>加载期间内存不足。</translation>
    </message>
    <message>
        <source>Memory that processes share in bytes, by the kernel.</source>
        <translation>进程间共享的内存，以字节计，来自内核。</translation>
    </message>
    <message>
        <source>Memory that programs can take without swapping, of all RAM, by the kernel</source>
        <translation>程序无需交换即可使用的内存，占全部 RAM，由内核给出</translation>
    </message>
    <message>
        <source>Memory-mapped (reclaimable): the kernel may drop the bytes and read them again.</source>
        <translation>内存映射（可回收）：内核可能丢弃数据后重新读取。</translation>
    </message>
    <message>
        <source>Memory-mapped and locked: read whole, and kept in memory.</source>
        <translation>内存映射并锁定：全部读入，并留在内存中。</translation>
    </message>
    <message>
        <source>Memory-mapped: pages come in when they&apos;re first used.</source>
        <translation>内存映射：页在首次使用时读入。</translation>
    </message>
    <message>
        <source>Menu bar</source>
        <translation>菜单栏</translation>
    </message>
    <message>
        <source>Merge the original files: llama-gguf-split --merge FIRST_FILE MERGED_FILE.</source>
        <translation>请合并原来的文件：llama-gguf-split --merge 首个文件 合并后的文件。</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Model contents</source>
        <translation>模型内容</translation>
    </message>
    <message>
        <source>Model {size}</source>
        <translation>模型 {size}</translation>
    </message>
    <message>
        <source>Model: {model}</source>
        <translation>模型：{model}</translation>
    </message>
    <message>
        <source>Models (*.safetensors *.sft *.gguf *.safetensors.*json)</source>
        <translation>模型 (*.safetensors *.sft *.gguf *.safetensors.*json)</translation>
    </message>
    <message>
        <source>Models in the usual caches there</source>
        <translation>那里常用缓存中的模型</translation>
    </message>
    <message>
        <source>Models in this folder</source>
        <translation>此文件夹中的模型</translation>
    </message>
    <message>
        <source>Models on this machine</source>
        <translation>在本机上找到的模型</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>More actions for the selected runs</source>
        <translation>对所选运行的更多操作</translation>
    </message>
    <message>
        <source>More model folders</source>
        <translation>更多模型文件夹</translation>
    </message>
    <message>
        <source>More models</source>
        <translation>更多模型</translation>
    </message>
    <message>
        <source>More options for the program, if it needs any</source>
        <translation>该程序需要的其他选项（可留空）</translation>
    </message>
    <message>
        <source>More settings for {arm}</source>
        <translation>{arm} 的更多设置</translation>
    </message>
    <message>
        <source>Most runs per strategy; stops at 5 or later once clear</source>
        <translation>每种策略最多运行的次数；从第 5 次起，结果明确即停止</translation>
    </message>
    <message>
        <source>Mount</source>
        <translation>挂载点</translation>
    </message>
    <message>
        <source>Mount it with {option}, if the server allows it.</source>
        <translation>若对端允许，请用 {option} 挂载。</translation>
    </message>
    <message>
        <source>Mount it without direct_io.</source>
        <translation>请不带 direct_io 挂载。</translation>
    </message>
    <message>
        <source>Mount options</source>
        <translation>挂载选项</translation>
    </message>
    <message>
        <source>Move back</source>
        <translation>后退</translation>
    </message>
    <message>
        <source>Move block or crosshair left</source>
        <translation>块或十字线左移</translation>
    </message>
    <message>
        <source>Move block or crosshair right</source>
        <translation>块或十字线右移</translation>
    </message>
    <message>
        <source>Move forward</source>
        <translation>前进</translation>
    </message>
    <message>
        <source>Move in time</source>
        <translation>沿时间移动</translation>
    </message>
    <message>
        <source>Move in time (or drag with the middle button)</source>
        <translation>沿时间移动（或用中键拖动）</translation>
    </message>
    <message>
        <source>Move it away: modelmon begins a history there.</source>
        <translation>请将其移走：modelmon 会在那里新建一个历史。</translation>
    </message>
    <message>
        <source>Move it away: modelmon begins a new one.</source>
        <translation>请将它移走：modelmon 会新建一份。</translation>
    </message>
    <message>
        <source>Move the model to the Linux filesystem (in /home), or load it without mmap.</source>
        <translation>把模型移到 Linux 文件系统中（/home 之下），或不用 mmap 加载。</translation>
    </message>
    <message>
        <source>Move to the block above</source>
        <translation>移到上一块</translation>
    </message>
    <message>
        <source>Move to the block below</source>
        <translation>移到下一块</translation>
    </message>
    <message>
        <source>NVMe class</source>
        <translation>NVMe 级</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Name a file or a folder.</source>
        <translation>请指定文件或文件夹。</translation>
    </message>
    <message>
        <source>Name a file to measure.</source>
        <translation>请指定一个要测速的文件。</translation>
    </message>
    <message>
        <source>Name it: modelmon watch MODEL -- COMMAND.</source>
        <translation>请指定它：modelmon watch MODEL -- COMMAND。</translation>
    </message>
    <message>
        <source>Name one: --shell bash, zsh or fish.</source>
        <translation>请指定一个：--shell bash、zsh 或 fish。</translation>
    </message>
    <message>
        <source>Name the Ray cluster: auto, HOST:PORT or ray://HOST:PORT.</source>
        <translation>请指定 Ray 集群：auto、HOST:PORT 或 ray://HOST:PORT。</translation>
    </message>
    <message>
        <source>Name the model by its whole path on the nodes.</source>
        <translation>请用模型在节点上的完整路径来指定它。</translation>
    </message>
    <message>
        <source>Name the one to watch: modelmon watch MODEL -- COMMAND.</source>
        <translation>请指定要观察的模型：modelmon watch MODEL -- COMMAND。</translation>
    </message>
    <message>
        <source>Named: {names}.</source>
        <translation>已命名：{names}。</translation>
    </message>
    <message>
        <source>Nearest setting</source>
        <translation>最接近的设置</translation>
    </message>
    <message>
        <source>Nearest: its closest setting</source>
        <translation>最接近：与该策略最相近的设置</translation>
    </message>
    <message>
        <source>Nearest: {access}.</source>
        <translation>最接近的：{access}。</translation>
    </message>
    <message>
        <source>Nearest: {near}.</source>
        <translation>最接近的：{near}。</translation>
    </message>
    <message>
        <source>Nearest: {setting}</source>
        <translation>最接近的设置：{setting}</translation>
    </message>
    <message>
        <source>Needed (1.5×)</source>
        <translation>所需（1.5 倍）</translation>
    </message>
    <message>
        <source>Needs py-spy on this machine: pip install py-spy</source>
        <translation>需要本机装有 py-spy：pip install py-spy</translation>
    </message>
    <message>
        <source>New memory is slow to fill here.</source>
        <translation>在此处，首次使用的内存填充得很慢。</translation>
    </message>
    <message>
        <source>New window</source>
        <translation>新建窗口</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>Next panel</source>
        <translation>下一个面板</translation>
    </message>
    <message>
        <source>No Find best run is waiting to be resumed.</source>
        <translation>没有待完成的寻找最佳。</translation>
    </message>
    <message>
        <source>No Python code was running.</source>
        <translation>没有检测到正在运行的 Python 代码。</translation>
    </message>
    <message>
        <source>No clear bottleneck. This says nothing about which is faster.</source>
        <translation>没有明确的瓶颈。这不说明哪个更快。</translation>
    </message>
    <message>
        <source>No clear change since {since}: {loads}.</source>
        <translation>自 {since} 以来没有明显变化：{loads}。</translation>
    </message>
    <message>
        <source>No clear difference</source>
        <translation>无明显差异</translation>
    </message>
    <message>
        <source>No clear winner yet: keep {label}</source>
        <translation>尚无明显的胜者：保留 {label}</translation>
    </message>
    <message>
        <source>No clear winner: keep {a}</source>
        <translation>没有明显的胜者：保留 {a}</translation>
    </message>
    <message>
        <source>No commands match.</source>
        <translation>没有匹配的命令。</translation>
    </message>
    <message>
        <source>No comparable loads since {since}.</source>
        <translation>自 {since} 以来没有可比较的加载。</translation>
    </message>
    <message>
        <source>No comparison is waiting to be resumed.</source>
        <translation>没有等待完成的对比。</translation>
    </message>
    <message>
        <source>No curves were kept of these runs. Compare again to record new ones.</source>
        <translation>没有保存这些运行的曲线。再次对比即可记录新的曲线。</translation>
    </message>
    <message>
        <source>No decoding in these runs, or they haven&apos;t finished.</source>
        <translation>这些运行没有解码，或尚未结束。</translation>
    </message>
    <message>
        <source>No library named {name} is installed.</source>
        <translation>未安装名为 {name} 的库。</translation>
    </message>
    <message>
        <source>No likely bottlenecks found</source>
        <translation>未发现可能的瓶颈</translation>
    </message>
    <message>
        <source>No model</source>
        <translation>无模型</translation>
    </message>
    <message>
        <source>No model is open.</source>
        <translation>未打开模型。</translation>
    </message>
    <message>
        <source>No models opened yet</source>
        <translation>尚未打开过模型</translation>
    </message>
    <message>
        <source>No node could load the model.</source>
        <translation>没有节点能加载该模型。</translation>
    </message>
    <message>
        <source>No node could load the model. {node}: {why}</source>
        <translation>没有节点能加载该模型。{node}：{why}</translation>
    </message>
    <message>
        <source>No other program has this model open.</source>
        <translation>没有其他程序打开了此模型。</translation>
    </message>
    <message>
        <source>No pair of its runs counts.</source>
        <translation>没有一对运行有效。</translation>
    </message>
    <message>
        <source>No pair of runs counts.</source>
        <translation>没有可以计入的运行配对。</translation>
    </message>
    <message>
        <source>No presets of your own yet.</source>
        <translation>尚无自定义预设。</translation>
    </message>
    <message>
        <source>No program that modelmon knows can load this model here.</source>
        <translation>modelmon 认识的程序中，没有一个能在此加载该模型。</translation>
    </message>
    <message>
        <source>No reads for some seconds</source>
        <translation>数秒无读取</translation>
    </message>
    <message>
        <source>No recommendation.</source>
        <translation>没有推荐。</translation>
    </message>
    <message>
        <source>No request is larger than {size}.</source>
        <translation>没有请求大于 {size}。</translation>
    </message>
    <message>
        <source>No response from storage for {seconds} s. Its mount may hang.</source>
        <translation>存储已有 {seconds} s 没有响应：其挂载点可能已挂起。</translation>
    </message>
    <message>
        <source>No response from {server} for {seconds} s.</source>
        <translation>{server} 已有 {seconds} s 没有响应。</translation>
    </message>
    <message>
        <source>No run counts. {reasons}</source>
        <translation>没有可计入的运行。{reasons}</translation>
    </message>
    <message>
        <source>No run finished on all nodes, so nothing is shown.</source>
        <translation>没有一次运行在所有节点上完成，因此没有可显示的内容。</translation>
    </message>
    <message>
        <source>No run finished on all nodes.</source>
        <translation>没有一次运行在所有节点上完成。</translation>
    </message>
    <message>
        <source>No run finished within {budget}: each takes about {each}, plus preparation.</source>
        <translation>{budget} 内没有运行完成：每次约需 {each}，另加准备时间。</translation>
    </message>
    <message>
        <source>No run of {label} counts. {reasons}</source>
        <translation>{label} 没有可计入的运行。{reasons}</translation>
    </message>
    <message>
        <source>No runs match these filters</source>
        <translation>没有运行符合这些筛选条件</translation>
    </message>
    <message>
        <source>No runs of this model yet. Use Run A, Run B, or Compare A/B.</source>
        <translation>此模型尚无运行。请使用“运行 A”“运行 B”或“对比 A/B”。</translation>
    </message>
    <message>
        <source>No runs were deleted in this window.</source>
        <translation>此窗口中没有删除过运行。</translation>
    </message>
    <message>
        <source>No runs yet. Open a model and run it, or drop a recording here.</source>
        <translation>尚无运行。请打开模型并运行，或将记录拖放到此处。</translation>
    </message>
    <message>
        <source>No samples yet.</source>
        <translation>尚无采样。</translation>
    </message>
    <message>
        <source>No setting is known for how it reads. Nearest: fill the page cache before it starts, or raise the readahead.</source>
        <translation>没有已知的设置能改变它的读取方式。最接近的：在它启动前填充页缓存，或增大预读。</translation>
    </message>
    <message>
        <source>No shared limit up to {nodes} nodes: each gets {rate}.</source>
        <translation>{nodes} 个节点以内没有共享上限：每个节点得到 {rate}。</translation>
    </message>
    <message>
        <source>No strategy for this model works here.</source>
        <translation>没有适用于此模型的策略可在此处运行。</translation>
    </message>
    <message>
        <source>No verdict. Earlier runs are listed under Runs.</source>
        <translation>没有结论。此前的运行列在“运行”中。</translation>
    </message>
    <message>
        <source>No visible program listens on port {port}.</source>
        <translation>没有可见的程序在监听端口 {port}。</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Nodes over time</source>
        <translation>各节点速率随时间变化</translation>
    </message>
    <message>
        <source>Nodes started up to {skew} apart.</source>
        <translation>各节点的启动时间最多相差 {skew}。</translation>
    </message>
    <message>
        <source>None of the strategies measured loads in one process with modelmon.</source>
        <translation>测量过的方式中，没有一种用 modelmon 在单个进程内加载。</translation>
    </message>
    <message>
        <source>Not available while {doing}.</source>
        <translation>{doing}时不可用。</translation>
    </message>
    <message>
        <source>Not checked yet.</source>
        <translation>尚未检测。</translation>
    </message>
    <message>
        <source>Not checked: mincore takes too long during a load.</source>
        <translation>未检查：加载期间 mincore 耗时过长。</translation>
    </message>
    <message>
        <source>Not cold: {share} of the file was cached</source>
        <translation>不是冷启动：文件的 {share} 已缓存</translation>
    </message>
    <message>
        <source>Not counted</source>
        <translation>未计入</translation>
    </message>
    <message>
        <source>Not counted: another cache had the file. Nothing was cached here, yet almost nothing came from storage. {figures}.</source>
        <translation>本机没有缓存，但几乎没有数据来自存储：它们在别的缓存中，因此本次运行不计入。{figures}.</translation>
    </message>
    <message>
        <source>Not counted: cold here, but {file} below may be cached: it can&apos;t be checked.</source>
        <translation>未计入：此处为冷，但下层的 {file} 可能已缓存：无法检查。</translation>
    </message>
    <message>
        <source>Not counted: cold here, but {share} was cached below, in {file}.</source>
        <translation>未计入：此处为冷，但 {file} 在下层已有 {share} 被缓存。</translation>
    </message>
    <message>
        <source>Not counted: faster than the disk when it was measured. A cache below this machine&apos;s had the file, or the disk is faster now.</source>
        <translation>未计入：比测速时的磁盘更快。可能是本机之下的缓存中有该文件，或磁盘现在更快。</translation>
    </message>
    <message>
        <source>Not counted: faster than this disk can be. A cache below this machine&apos;s had the file.</source>
        <translation>未计入：超过此磁盘可能的速度。本机之下的缓存中有该文件。</translation>
    </message>
    <message>
        <source>Not counted: memory was swapped during the load.</source>
        <translation>加载期间使用了交换空间，因此本次运行不计入。</translation>
    </message>
    <message>
        <source>Not counted: no run started as asked.</source>
        <translation>不计入：没有一次运行按要求启动。</translation>
    </message>
    <message>
        <source>Not counted: nothing verified that the library&apos;s bytes were in memory when it returned.</source>
        <translation>没有触碰任何数据：库声称返回时数据已在私有内存中，但无人核实，因此该时间不计入。</translation>
    </message>
    <message>
        <source>Not counted: the bytes were verified during the load.</source>
        <translation>已校验交付的字节，因此该次用时不计入。</translation>
    </message>
    <message>
        <source>Not counted: the clock jumped during the load, as after sleep.</source>
        <translation>加载期间时钟跳变（如休眠之后），因此本次运行不计入。</translation>
    </message>
    <message>
        <source>Not counted: the host took back free memory during the load.</source>
        <translation>未计入：加载期间宿主机收回了空闲内存。</translation>
    </message>
    <message>
        <source>Not counted: the library returned before its bytes were in memory.</source>
        <translation>没有触碰任何数据：库在数据进入内存之前就返回了，因此该时间不能说明加载情况，不计入。</translation>
    </message>
    <message>
        <source>Not counted: the load was ended after {after}.</source>
        <translation>未计入：加载在 {after} 后被结束。</translation>
    </message>
    <message>
        <source>Not counted: the load was stopped by a signal and continued later.</source>
        <translation>不计入：加载被信号暂停，之后才继续。</translation>
    </message>
    <message>
        <source>Not counted: the machine slept during the load.</source>
        <translation>加载期间机器休眠，因此本次运行不计入。</translation>
    </message>
    <message>
        <source>Not counted: the model changed during the experiment.</source>
        <translation>实验期间模型被修改，因此本次运行不计入。</translation>
    </message>
    <message>
        <source>Not counted: the model changed while it was measured.</source>
        <translation>测量期间模型被修改，因此本次运行不计入。</translation>
    </message>
    <message>
        <source>Not counted: the model wasn&apos;t in memory at the end, since its pages were dropped during the load.</source>
        <translation>未计入：结束时模型不在内存中，因为它的页面在加载期间被丢弃。</translation>
    </message>
    <message>
        <source>Not counted: the program&apos;s own files came from storage.</source>
        <translation>不计入：程序自身的文件来自存储。</translation>
    </message>
    <message>
        <source>Not counted: the start wasn&apos;t {cache}: {figures}.</source>
        <translation>本次不是{cache}，因此不计入：{figures}。</translation>
    </message>
    <message>
        <source>Not counted: the time of its reads is unknown.</source>
        <translation>未计入：不知道它何时读取模型。</translation>
    </message>
    <message>
        <source>Not counted: {program} wasn&apos;t ready after {after}, with {share} of the model seen.</source>
        <translation>未计入：{program} 在 {after} 后仍未就绪，只看到模型的 {share}。</translation>
    </message>
    <message>
        <source>Not counted: {what}</source>
        <translation>不计入：{what}</translation>
    </message>
    <message>
        <source>Not enough memory: this load needs {needed}, {available} is available.</source>
        <translation>此加载需要 {needed}，但只有 {available} 内存可用。</translation>
    </message>
    <message>
        <source>Not enough memory: this load needs {needed}; {available} is available, of which the cgroup&apos;s limit leaves {usable}.</source>
        <translation>此加载需要 {needed}，但只有 {available} 内存可用，其中 cgroup 的上限只留下 {usable}。</translation>
    </message>
    <message>
        <source>Not exact: {why}.</source>
        <translation>并非精确：{why}。</translation>
    </message>
    <message>
        <source>Not finished</source>
        <translation>未完成</translation>
    </message>
    <message>
        <source>Not in the plots</source>
        <translation>不在图中</translation>
    </message>
    <message>
        <source>Not part of this model: {files}.</source>
        <translation>不属于此模型：{files}。</translation>
    </message>
    <message>
        <source>Not possible</source>
        <translation>不可行</translation>
    </message>
    <message>
        <source>Not ready after {wall}</source>
        <translation>{wall} 后仍未就绪</translation>
    </message>
    <message>
        <source>Not recorded.</source>
        <translation>未记录。</translation>
    </message>
    <message>
        <source>Not recorded: {share} of the bytes.</source>
        <translation>未记录：字节的 {share}。</translation>
    </message>
    <message>
        <source>Not run yet</source>
        <translation>尚未运行</translation>
    </message>
    <message>
        <source>Not sampling</source>
        <translation>未采样</translation>
    </message>
    <message>
        <source>Not saved</source>
        <translation>未保存</translation>
    </message>
    <message>
        <source>Not saved in the history: {problem}</source>
        <translation>未保存到历史：{problem}</translation>
    </message>
    <message>
        <source>Not searched: {folders}. Can&apos;t be read, or doesn&apos;t respond.</source>
        <translation>未查找：{folders}。无法读取或没有响应。</translation>
    </message>
    <message>
        <source>Not seen in the program&apos;s own memory.</source>
        <translation>在程序自己的内存中没有看到。</translation>
    </message>
    <message>
        <source>Not starred</source>
        <translation>未加星标</translation>
    </message>
    <message>
        <source>Not tested: {names}.</source>
        <translation>未测试：{names}。</translation>
    </message>
    <message>
        <source>Not tested: {strategy}. {why}.</source>
        <translation>未测试：{strategy}。{why}。</translation>
    </message>
    <message>
        <source>Not the default settings:</source>
        <translation>非默认设置：</translation>
    </message>
    <message>
        <source>Not warm: {share} of the file was cached</source>
        <translation>不是热启动：文件的 {share} 已缓存</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>Note: {text}</source>
        <translation>注意：{text}</translation>
    </message>
    <message>
        <source>Nothing could be mounted under {place}: {reason}.</source>
        <translation>无法挂载到 {place}:{reason}。</translation>
    </message>
    <message>
        <source>Nothing here is faster; only a faster disk, a smaller file or a warm cache helps.</source>
        <translation>此处没有更快的；只有更快的磁盘、更小的文件或热缓存才有帮助。</translation>
    </message>
    <message>
        <source>Nothing here is faster; only a smaller file or faster memory helps.</source>
        <translation>此处没有更快的；只有更小的文件或更快的内存才有帮助。</translation>
    </message>
    <message>
        <source>Nothing here is faster; only a type that decodes faster helps.</source>
        <translation>此处没有更快的；只有解码更快的类型才有帮助。</translation>
    </message>
    <message>
        <source>Nothing is ever sent anywhere.</source>
        <translation>绝不会向任何地方发送数据。</translation>
    </message>
    <message>
        <source>Nothing is known about this storage.</source>
        <translation>对此存储一无所知。</translation>
    </message>
    <message>
        <source>Nothing is running.</source>
        <translation>没有正在运行的任务。</translation>
    </message>
    <message>
        <source>Nothing matches.</source>
        <translation>没有匹配项。</translation>
    </message>
    <message>
        <source>Nothing saved yet.</source>
        <translation>尚未保存任何内容。</translation>
    </message>
    <message>
        <source>Nothing stayed: this filesystem keeps no page cache.</source>
        <translation>没有内容留在缓存中：此文件系统不保留页缓存。</translation>
    </message>
    <message>
        <source>Nothing to change</source>
        <translation>无需更改</translation>
    </message>
    <message>
        <source>Nothing to change: {setting} is the default</source>
        <translation>无需更改：{setting} 是默认值</translation>
    </message>
    <message>
        <source>Nothing to copy yet. Use Compare A/B or Find best first.</source>
        <translation>尚无可复制的内容。请先使用“对比 A/B”或“寻找最佳”。</translation>
    </message>
    <message>
        <source>Nothing to export yet. Make a run first.</source>
        <translation>尚无可导出的内容。请先运行一次。</translation>
    </message>
    <message>
        <source>Nothing was compared, so no setting is recommended. Find best compares them.</source>
        <translation>没有进行对比，因此不推荐任何设置。“寻找最佳”会对比它们。</translation>
    </message>
    <message>
        <source>Nothing was loaded.</source>
        <translation>没有加载任何内容。</translation>
    </message>
    <message>
        <source>Notify me when a long task ends in the background</source>
        <translation>长时间任务在后台结束时通知我</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>Now {way}: {doing}</source>
        <translation>当前 {way}：{doing}</translation>
    </message>
    <message>
        <source>Number</source>
        <translation>数量</translation>
    </message>
    <message>
        <source>Numbers of requests by size, rounded down to a power of two</source>
        <translation>按大小统计的请求数，大小向下取整到 2 的幂</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>确定</translation>
    </message>
    <message>
        <source>Object store</source>
        <translation>对象存储</translation>
    </message>
    <message>
        <source>Object store: four workers share one descriptor</source>
        <translation>对象存储:四个工作进程共用一个描述符</translation>
    </message>
    <message>
        <source>Observed</source>
        <translation>观察方式</translation>
    </message>
    <message>
        <source>Of {count} nodes the {most} slowest.</source>
        <translation>{count} 个节点中最慢的 {most} 个。</translation>
    </message>
    <message>
        <source>Offsets of a shared descriptor jump: nearly each read is a new GET.</source>
        <translation>共用描述符的偏移不断跳动：几乎每次读取都是一次新的 GET。</translation>
    </message>
    <message>
        <source>Ollama loads its own copy in OLLAMA_MODELS: keep that on the disk measured.</source>
        <translation>Ollama 加载 OLLAMA_MODELS 中它自己的副本：请将该文件夹放在所测量的磁盘上。</translation>
    </message>
    <message>
        <source>Ollama loads only models from its own store: open one of those.</source>
        <translation>Ollama 只加载自己存储库中的模型：请打开其中之一。</translation>
    </message>
    <message>
        <source>Ollama stores it as {count} tensor layers; modelmon opens Ollama&apos;s GGUF models.</source>
        <translation>Ollama 将其存储为 {count} 个张量层；modelmon 可打开 Ollama 的 GGUF 模型。</translation>
    </message>
    <message>
        <source>On</source>
        <translation>所在磁盘</translation>
    </message>
    <message>
        <source>On a fast disk, decoding takes {share} of Q4&apos;s time.</source>
        <translation>在快速磁盘上，Q4 有 {share} 的时间用于解码。</translation>
    </message>
    <message>
        <source>On a fast disk, decoding, and waiting for a processor, takes {share} of Q4&apos;s time.</source>
        <translation>在快速磁盘上，Q4 有 {share} 的时间用于解码和等待处理器。</translation>
    </message>
    <message>
        <source>On the disk</source>
        <translation>磁盘上</translation>
    </message>
    <message>
        <source>On {count} nodes, other programs come first: loads run at niceness {niceness}. Start Ray there with RAY_worker_niceness=0.</source>
        <translation>在 {count} 个节点上，加载以 niceness {niceness} 运行，其他程序优先。请在那里以 RAY_worker_niceness=0 启动 Ray。</translation>
    </message>
    <message>
        <source>One is opened at a time.</source>
        <translation>一次只能打开一个。</translation>
    </message>
    <message>
        <source>One rank&apos;s slice can&apos;t be split again for several ranks.</source>
        <translation>一个 rank 的切片不能再分给多个 rank。</translation>
    </message>
    <message>
        <source>One reader, front to back. Few seeks.</source>
        <translation>一个读取器，从头读到尾。寻道少。</translation>
    </message>
    <message>
        <source>One run of {experiment}.</source>
        <translation>{experiment} 的一次运行。</translation>
    </message>
    <message>
        <source>One thread reads all files, and keeps them in memory until the model is loaded.</source>
        <translation>由一个线程读取全部文件，并在模型加载完之前把它们都留在内存中。</translation>
    </message>
    <message>
        <source>One thread reads, file by file.</source>
        <translation>单个线程逐个文件读取。</translation>
    </message>
    <message>
        <source>Only a faster disk or a smaller file helps.</source>
        <translation>只有更快的磁盘或更小的文件才有帮助。</translation>
    </message>
    <message>
        <source>Only a library can be measured untouched.</source>
        <translation>只有库可以按 untouched 测量：其他方式都不会停在那一步。</translation>
    </message>
    <message>
        <source>Only a smaller file helps.</source>
        <translation>只有更小的文件才有帮助。</translation>
    </message>
    <message>
        <source>Only cold starts were measured.</source>
        <translation>只测量了冷启动。</translation>
    </message>
    <message>
        <source>Only fewer bytes from that storage help: slices, copies on local disks, or a cache between them.</source>
        <translation>只有减少从该存储读取的字节才有帮助：切片、本地磁盘上的副本，或中间缓存。</translation>
    </message>
    <message>
        <source>Only for commands started here: watch the command that sends the request.</source>
        <translation>仅适用于在此启动的命令：请监视发出请求的那个命令。</translation>
    </message>
    <message>
        <source>Only headers are read</source>
        <translation>只读取文件头</translation>
    </message>
    <message>
        <source>Only its headers are read</source>
        <translation>只读取其文件头</translation>
    </message>
    <message>
        <source>Only plots</source>
        <translation>只显示图表</translation>
    </message>
    <message>
        <source>Only programs on this machine can be sampled</source>
        <translation>只能采样本机上的程序</translation>
    </message>
    <message>
        <source>Only starred runs</source>
        <translation>仅显示加星标的运行</translation>
    </message>
    <message>
        <source>Only stopped comparisons and Find best runs on this machine and disk can be resumed.</source>
        <translation>只能继续在本机器和磁盘上停止的对比或寻找最佳。</translation>
    </message>
    <message>
        <source>Only the first {count} entries are listed.</source>
        <translation>只列出前 {count} 项。</translation>
    </message>
    <message>
        <source>Only the first {wanted} of {size} fit in memory: free some, or raise the cgroup&apos;s limit.</source>
        <translation>内存只放得下 {size} 中的前 {wanted}：请释放一些内存，或提高 cgroup 的上限。</translation>
    </message>
    <message>
        <source>Only the program&apos;s counters are known: how much it read, not which blocks.</source>
        <translation>此次运行只能由程序的计数器得知：读取了多少，而不是哪些块。</translation>
    </message>
    <message>
        <source>Only this disk</source>
        <translation>仅此磁盘</translation>
    </message>
    <message>
        <source>Only this machine</source>
        <translation>仅限本机</translation>
    </message>
    <message>
        <source>Only warm starts were measured.</source>
        <translation>只测量了热启动。</translation>
    </message>
    <message>
        <source>Only {share} stayed cached: other programs need the memory.</source>
        <translation>只有 {share} 留在缓存中：其他程序需要内存。</translation>
    </message>
    <message>
        <source>Only {size} of the model is tested ({why}). Times for the whole model are extrapolated.</source>
        <translation>只测试模型的 {size}（{why}）。整个模型的用时为外推值。</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Open a .jsonl file that modelmon run --record has written.</source>
        <translation>请打开由 modelmon run --record 写入的 .jsonl 文件。</translation>
    </message>
    <message>
        <source>Open a model</source>
        <translation>打开模型</translation>
    </message>
    <message>
        <source>Open a model first.</source>
        <translation>请先打开模型。</translation>
    </message>
    <message>
        <source>Open a model or a recording</source>
        <translation>打开模型或记录</translation>
    </message>
    <message>
        <source>Open a model to measure it</source>
        <translation>打开一个模型来测量它。</translation>
    </message>
    <message>
        <source>Open another model in a second window</source>
        <translation>在第二个窗口中打开另一个模型</translation>
    </message>
    <message>
        <source>Open file</source>
        <translation>打开文件</translation>
    </message>
    <message>
        <source>Open file…</source>
        <translation>打开文件…</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Open folder…</source>
        <translation>打开文件夹…</translation>
    </message>
    <message>
        <source>Open history folder</source>
        <translation>打开历史所在的文件夹</translation>
    </message>
    <message>
        <source>Open it as a model.</source>
        <translation>请将其作为模型打开。</translation>
    </message>
    <message>
        <source>Open its model</source>
        <translation>打开其模型</translation>
    </message>
    <message>
        <source>Open its model first.</source>
        <translation>请先打开它的模型。</translation>
    </message>
    <message>
        <source>Open on a server</source>
        <translation>打开服务器上的模型</translation>
    </message>
    <message>
        <source>Open on a server…</source>
        <translation>打开服务器上的模型…</translation>
    </message>
    <message>
        <source>Open one of them.</source>
        <translation>请打开其中之一。</translation>
    </message>
    <message>
        <source>Open recent</source>
        <translation>最近打开</translation>
    </message>
    <message>
        <source>Open recording</source>
        <translation>打开记录</translation>
    </message>
    <message>
        <source>Open recording…</source>
        <translation>打开记录…</translation>
    </message>
    <message>
        <source>Open the model again.</source>
        <translation>请重新打开模型。</translation>
    </message>
    <message>
        <source>Open the model, then watch the command.</source>
        <translation>请先打开模型，再监视该命令。</translation>
    </message>
    <message>
        <source>Open {names}.</source>
        <translation>请打开 {names}。</translation>
    </message>
    <message>
        <source>Opened {file}.</source>
        <translation>已打开 {file}。</translation>
    </message>
    <message>
        <source>Opening the file to check may have dropped more from the cache.</source>
        <translation>为检查而打开文件，可能又丢弃了部分缓存。</translation>
    </message>
    <message>
        <source>Opening {file}</source>
        <translation>正在打开 {file}</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>Option</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>Or drop a model file or folder here</source>
        <translation>或将模型文件或文件夹拖放到此处</translation>
    </message>
    <message>
        <source>Or mount it with --vfs-cache-mode full.</source>
        <translation>或用 --vfs-cache-mode full 挂载。</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>顺序</translation>
    </message>
    <message>
        <source>Other loads from {storage} show no change: check the model&apos;s file and the strategy.</source>
        <translation>来自 {storage} 的其他加载没有变化：请检查模型文件和策略。</translation>
    </message>
    <message>
        <source>Other programs can be watched on Linux only.</source>
        <translation>只有在 Linux 上才能观察其他程序。</translation>
    </message>
    <message>
        <source>Other programs keep the processors busy: loads take longer than predicted.</source>
        <translation>其他程序占用处理器：加载用时会比预测的长。</translation>
    </message>
    <message>
        <source>Other programs used the disk during the measurement: {best}, perhaps less.</source>
        <translation>测速期间有其他程序使用磁盘：{best}，实际可能更短。</translation>
    </message>
    <message>
        <source>Other reads</source>
        <translation>其他读取</translation>
    </message>
    <message>
        <source>Other use</source>
        <translation>磁盘共用</translation>
    </message>
    <message>
        <source>Others can use {path}, where connections are shared.</source>
        <translation>其他人可以使用共享连接所在的 {path}。</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Overlaid</source>
        <translation>叠加</translation>
    </message>
    <message>
        <source>Overlaid runs</source>
        <translation>叠加的运行</translation>
    </message>
    <message>
        <source>Overlay in plots</source>
        <translation>叠加到图中</translation>
    </message>
    <message>
        <source>Own folder</source>
        <translation>自选文件夹</translation>
    </message>
    <message>
        <source>PID</source>
        <translation>PID</translation>
    </message>
    <message>
        <source>Page cache</source>
        <translation>页缓存</translation>
    </message>
    <message>
        <source>Page cache by file position</source>
        <translation>按文件位置的页缓存</translation>
    </message>
    <message>
        <source>Page cache: a load that is faster than the disk</source>
        <translation>页缓存:比磁盘还快的加载</translation>
    </message>
    <message>
        <source>Page faults</source>
        <translation>缺页</translation>
    </message>
    <message>
        <source>Page faults are unknown here: only Linux counts them per process.</source>
        <translation>此处无法得知缺页数：只有 Linux 按进程统计。</translation>
    </message>
    <message>
        <source>Page faults per second that read from storage. Each stops its thread, so fewer is better.</source>
        <translation>每秒从存储读取的缺页。每次都会停住其线程，因此越少越好。</translation>
    </message>
    <message>
        <source>Page faults per second whose page was in memory already. Each costs processor time, so fewer is better.</source>
        <translation>每秒页已在内存中的缺页。每次都要耗费处理器时间，因此越少越好。</translation>
    </message>
    <message>
        <source>Page faults. Major ones waited for storage, so fewer are better.</source>
        <translation>缺页。主要缺页需等待存储，因此越少越好。</translation>
    </message>
    <message>
        <source>Pages as they came into the page cache; its requests aren&apos;t seen</source>
        <translation>页进入页缓存的情况；看不到其请求</translation>
    </message>
    <message>
        <source>Pages of the model were dropped during the load and read again.</source>
        <translation>模型的页面在加载期间被丢弃并重新读取。</translation>
    </message>
    <message>
        <source>Pair</source>
        <translation>对</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Parent folder</source>
        <translation>上级文件夹</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>Part of a block&apos;s or tensor&apos;s name, or a type: mlp, layers.7, Q4_K</source>
        <translation>块名或张量名的一部分，或类型：mlp、layers.7、Q4_K</translation>
    </message>
    <message>
        <source>Part of a block&apos;s time in which its bytes were read and waited for a free decoder.</source>
        <translation>块的时间中，其字节已读完、正等待空闲解码器的部分。</translation>
    </message>
    <message>
        <source>Part of the model</source>
        <translation>模型的一部分</translation>
    </message>
    <message>
        <source>Part {size}</source>
        <translation>部分 {size}</translation>
    </message>
    <message>
        <source>Partly cached start</source>
        <translation>部分缓存启动</translation>
    </message>
    <message>
        <source>Parts by bytes</source>
        <translation>各部分所占字节</translation>
    </message>
    <message>
        <source>Path</source>
        <translation>路径</translation>
    </message>
    <message>
        <source>Path of the model, the same on every node</source>
        <translation>模型的路径，每个节点上相同</translation>
    </message>
    <message>
        <source>Path of the program or its Python</source>
        <translation>程序或其 Python 的路径</translation>
    </message>
    <message>
        <source>Path of the program or its Python, if not on PATH</source>
        <translation>程序或其 Python 的路径（若不在 PATH 中）</translation>
    </message>
    <message>
        <source>Path of the program, or of the Python that has it</source>
        <translation>程序的路径，或装有它的 Python 的路径</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>峰值内存</translation>
    </message>
    <message>
        <source>Peak memory the system can&apos;t reclaim</source>
        <translation>系统无法回收的峰值内存</translation>
    </message>
    <message>
        <source>Percent of all processor time that was idle while I/O was pending: the whole system&apos;s, not this load&apos;s.</source>
        <translation>有 I/O 待完成时处理器空闲时间的百分比：是整个系统的，不是这次加载的。</translation>
    </message>
    <message>
        <source>Percent of its readers&apos; time, over the whole run, spent waiting for storage or Python&apos;s interpreter. Other programs don&apos;t count.</source>
        <translation>整次运行中，读取器等待存储或 Python 解释器的时间百分比。不计其他程序。</translation>
    </message>
    <message>
        <source>Percent of its time in which its bytes waited for a free decoder.</source>
        <translation>其时间中字节等待空闲解码器的百分比。</translation>
    </message>
    <message>
        <source>Percent of its time in which its bytes were read.</source>
        <translation>其时间中用于读取字节的百分比。</translation>
    </message>
    <message>
        <source>Percent of its time in which its values were decoded to floats.</source>
        <translation>其时间中用于将数值解码为浮点数的百分比。</translation>
    </message>
    <message>
        <source>Percent of the model in the node&apos;s page cache before the start.</source>
        <translation>开始前该节点页缓存中已有模型的百分比。</translation>
    </message>
    <message>
        <source>Percent of the model&apos;s bytes.</source>
        <translation>占模型字节数的百分比。</translation>
    </message>
    <message>
        <source>Percent of the readers&apos; time spent waiting for storage. Lower is better, unless the disk is at its limit.</source>
        <translation>读取器等待存储的时间百分比。越低越好，除非磁盘已达上限。</translation>
    </message>
    <message>
        <source>Percent of the whole wait. Begin with the largest.</source>
        <translation>占全部等待时间的百分比。从最大的入手。</translation>
    </message>
    <message>
        <source>Percent of this load&apos;s readers that wait for storage, sampled. Lower is better, unless the disk is at its limit.</source>
        <translation>这次加载正在等待存储的读取器百分比，抽样得出。越低越好，除非磁盘已到上限。</translation>
    </message>
    <message>
        <source>Percent of time in which any task on this machine stalled for I/O (PSI); other programs count.</source>
        <translation>本机任一任务因 I/O 停顿的时间百分比（PSI）；其他程序也计入。</translation>
    </message>
    <message>
        <source>Percent of time in which the disk had a request. SSDs can do more even at 100%.</source>
        <translation>磁盘有请求的时间占比。即使达到 100%，SSD 也可能还有余力。</translation>
    </message>
    <message>
        <source>Permanent</source>
        <translation>永久</translation>
    </message>
    <message>
        <source>Phase</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Phase (median)</source>
        <translation>阶段（中位数）</translation>
    </message>
    <message>
        <source>Phases</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>Play or pause</source>
        <translation>播放或暂停</translation>
    </message>
    <message>
        <source>Playback position</source>
        <translation>回放时间</translation>
    </message>
    <message>
        <source>Playback speed</source>
        <translation>回放速度</translation>
    </message>
    <message>
        <source>Plot</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Plots</source>
        <translation>图表</translation>
    </message>
    <message>
        <source>Plots of {arm}: a recorded run of {model}, {strategy}.</source>
        <translation>图中的 {arm} 是 {model} 的一次运行记录，{strategy}。</translation>
    </message>
    <message>
        <source>Plots show the median runs: {runs}</source>
        <translation>图表显示中位数运行：{runs}</translation>
    </message>
    <message>
        <source>Plug the machine in.</source>
        <translation>请接通电源。</translation>
    </message>
    <message>
        <source>Point at a plot to see the last one by then.</source>
        <translation>指向图表即可查看到该时刻为止的最后一行。</translation>
    </message>
    <message>
        <source>Populate fills a mapping, and access {access} has none.</source>
        <translation>populate 用于填充映射，而访问方式 {access} 没有映射。</translation>
    </message>
    <message>
        <source>Populate maps pages for one process only, not for the others.</source>
        <translation>populate 只为一个进程映射页，其他进程不受益。</translation>
    </message>
    <message>
        <source>Port of that program</source>
        <translation>该程序的端口</translation>
    </message>
    <message>
        <source>Port, for example 8080</source>
        <translation>端口，例如 8080</translation>
    </message>
    <message>
        <source>Port/path, for example 8080/health</source>
        <translation>端口/路径，例如 8080/health</translation>
    </message>
    <message>
        <source>Port; empty for any</source>
        <translation>端口；留空表示任意端口</translation>
    </message>
    <message>
        <source>Predicted from the disk measurement: {best}.</source>
        <translation>根据磁盘测量预测：{best}。</translation>
    </message>
    <message>
        <source>Prepared with</source>
        <translation>准备命令</translation>
    </message>
    <message>
        <source>Preparing</source>
        <translation>准备中</translation>
    </message>
    <message>
        <source>Preparing free memory</source>
        <translation>正在准备空闲内存</translation>
    </message>
    <message>
        <source>Preparing the nodes</source>
        <translation>正在准备节点</translation>
    </message>
    <message>
        <source>Preparing {nodes}: {way}</source>
        <translation>正在准备 {nodes}：{way}</translation>
    </message>
    <message>
        <source>Preset name</source>
        <translation>预设名称</translation>
    </message>
    <message>
        <source>Presets</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Press F2 to name the run</source>
        <translation>按 F2 为运行命名</translation>
    </message>
    <message>
        <source>Previous panel</source>
        <translation>上一个面板</translation>
    </message>
    <message>
        <source>Print it instead: modelmon completion show --shell bash.</source>
        <translation>改为打印：modelmon completion show --shell bash。</translation>
    </message>
    <message>
        <source>Print it instead: modelmon completion show.</source>
        <translation>改为打印：modelmon completion show。</translation>
    </message>
    <message>
        <source>Private
memory</source>
        <translation>私有
内存</translation>
    </message>
    <message>
        <source>Private copy: the kernel can&apos;t drop the bytes.</source>
        <translation>私有副本：内核无法丢弃数据。</translation>
    </message>
    <message>
        <source>Private memory</source>
        <translation>私有内存</translation>
    </message>
    <message>
        <source>Private memory of the loading processes in bytes, by the kernel. The system can&apos;t reclaim it, so less is better.</source>
        <translation>加载进程的私有内存，以字节计，来自内核。系统无法回收，因此越少越好。</translation>
    </message>
    <message>
        <source>Process {pid} couldn&apos;t be stopped because its storage doesn&apos;t respond. It ends once the storage responds.</source>
        <translation>无法停止进程 {pid}，因为其存储没有响应。存储恢复响应后它会自行结束。</translation>
    </message>
    <message>
        <source>Process {pid} has ended, or its number is another program&apos;s now.</source>
        <translation>进程 {pid} 已结束，或其编号现属于另一个程序。</translation>
    </message>
    <message>
        <source>Process {pid} is waiting for storage that doesn&apos;t respond; giving up on it in {time}.</source>
        <translation>进程 {pid} 正在等待无响应的存储，{time} 后将不再等它。</translation>
    </message>
    <message>
        <source>Process {row} is still running experiment x{experiment_id}.</source>
        <translation>进程 {row} 仍在运行实验 x{experiment_id}。</translation>
    </message>
    <message>
        <source>Processes that load on each node, as workers of GPUs do</source>
        <translation>每个节点上进行加载的进程数，如同各 GPU 的工作进程</translation>
    </message>
    <message>
        <source>Processor time of decoders in percent of one core; they run next to readers.</source>
        <translation>解码器的处理器时间，以一个核的百分比计；它们与读取器同时运行。</translation>
    </message>
    <message>
        <source>Processor time of programs (user) and of the kernel (system), of all cores.</source>
        <translation>所有核心上程序（用户态）和内核（内核态）的处理器时间。</translation>
    </message>
    <message>
        <source>Processor time of the load in percent of one core. Near 100% per reader, a faster disk won&apos;t help.</source>
        <translation>加载的处理器时间，以一个核心的百分比计。每个读取器接近 100% 时，更快的磁盘也没有帮助。</translation>
    </message>
    <message>
        <source>Processor time of the load; 100% is one core. Near 100% per reader, the processor is the limit and not the disk.</source>
        <translation>加载所用的处理器时间；100% 为一个核心。每个读取器接近 100% 时，瓶颈是处理器而非磁盘。</translation>
    </message>
    <message>
        <source>Processors</source>
        <translation>处理器</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>Program as {arm}</source>
        <translation>将程序作为 {arm}</translation>
    </message>
    <message>
        <source>Program errors: {path}</source>
        <translation>程序错误：{path}</translation>
    </message>
    <message>
        <source>Program watched for {time}</source>
        <translation>程序观察已结束，用时 {time}</translation>
    </message>
    <message>
        <source>Programs are looked for and started there first, then on PATH</source>
        <translation>优先在此查找并启动程序，然后才在 PATH 中查找</translation>
    </message>
    <message>
        <source>Programs are tested for start time only</source>
        <translation>对程序只测试启动时间</translation>
    </message>
    <message>
        <source>Programs can be launched on Linux only.</source>
        <translation>只有在 Linux 上才能启动程序。</translation>
    </message>
    <message>
        <source>Programs found here</source>
        <translation>本机上的程序</translation>
    </message>
    <message>
        <source>Programs that have the model&apos;s files open or mapped. They keep running afterwards.</source>
        <translation>已打开或映射模型文件的程序。之后它们会继续运行。</translation>
    </message>
    <message>
        <source>Programs that use the model</source>
        <translation>使用此模型的程序</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Put the model on a volume: modelmon then sees the disk.</source>
        <translation>把模型放到卷上，modelmon 就能看到磁盘。</translation>
    </message>
    <message>
        <source>Put {cache} on a local disk with room for the model. Changes of the bucket aren&apos;t noticed until it&apos;s mounted again.</source>
        <translation>请将 {cache} 放在放得下模型的本地磁盘上。重新挂载之前，不会察觉存储桶的更改。</translation>
    </message>
    <message>
        <source>Put {cache} on a local disk with room for the model. Changes of the bucket aren&apos;t noticed until it&apos;s mounted again. --profile aiml-serving sets no cache-dir.</source>
        <translation>请将 {cache} 放在放得下模型的本地磁盘上。重新挂载之前，不会察觉存储桶的更改。--profile aiml-serving 不设置 cache-dir。</translation>
    </message>
    <message>
        <source>Python</source>
        <translation>Python</translation>
    </message>
    <message>
        <source>Python functions: {names}</source>
        <translation>Python 函数：{names}</translation>
    </message>
    <message>
        <source>Python has no direct I/O on Windows.</source>
        <translation>在 Windows 上 Python 无法绕过文件缓存读取。</translation>
    </message>
    <message>
        <source>Q4 has {saved} fewer bytes than Q8, but decoding takes {q4} instead of {q8}.</source>
        <translation>Q4 比 Q8 少 {saved} 的字节，但解码需要 {q4}，而 Q8 只需 {q8}。</translation>
    </message>
    <message>
        <source>Quantized GGUF</source>
        <translation>量化 GGUF</translation>
    </message>
    <message>
        <source>Quantized GGUF: disk, map or decoding?</source>
        <translation>量化 GGUF:磁盘、映射还是解码?</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>队列</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>RAM</source>
        <translation>物理内存</translation>
    </message>
    <message>
        <source>RAM {size}</source>
        <translation>内存 {size}</translation>
    </message>
    <message>
        <source>Raise or remove the limit, or use larger requests, which are fewer.</source>
        <translation>请提高或取消限制，或使用更大、因而更少的请求。</translation>
    </message>
    <message>
        <source>Raise or remove the limit: IOReadBandwidthMax= of a systemd unit, --device-read-bps of a container. No strategy reads faster under it.</source>
        <translation>请提高或取消限制：systemd 单元的 IOReadBandwidthMax=，容器的 --device-read-bps。在此限制下没有策略读得更快。</translation>
    </message>
    <message>
        <source>Raise or remove the limit: IOReadIOPSMax= of a systemd unit, --device-read-iops of a container. Larger requests make fewer reads.</source>
        <translation>请提高或取消限制：systemd 单元的 IOReadIOPSMax=，容器的 --device-read-iops。更大的请求使读取次数更少。</translation>
    </message>
    <message>
        <source>Raise or remove the limit: no strategy reads faster under it.</source>
        <translation>请提高或取消限制：在此限制下没有策略读得更快。</translation>
    </message>
    <message>
        <source>Raise the container&apos;s CPU limit.</source>
        <translation>请提高容器的 CPU 限制。</translation>
    </message>
    <message>
        <source>Raise the limit of address space (ulimit -v), now {limit} KiB.</source>
        <translation>请提高地址空间限制（ulimit -v），目前为 {limit} KiB。</translation>
    </message>
    <message>
        <source>Raise the limit of open files (ulimit -n), or choose fewer readers.</source>
        <translation>请提高打开文件数的上限（ulimit -n），或减少读取器数量。</translation>
    </message>
    <message>
        <source>Raise the limit of processes (ulimit -u, or the container&apos;s pids limit), or end others.</source>
        <translation>请提高进程数限制（ulimit -u，或容器的 pids 限制），或结束其他进程。</translation>
    </message>
    <message>
        <source>Random {request}</source>
        <translation>随机 {request}</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>范围</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>排名</translation>
    </message>
    <message>
        <source>Rank by the start that was tested</source>
        <translation>按所测启动方式的排名</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>并行秩</translation>
    </message>
    <message>
        <source>Ranks count from 0: of {ranks}, choose 0 to {ranks2}.</source>
        <translation>并行秩从 0 计数：共 {ranks} 个，请在 0 到 {ranks2} 之间选择。</translation>
    </message>
    <message>
        <source>Ranks per node</source>
        <translation>每个节点的 rank 数</translation>
    </message>
    <message>
        <source>Rate</source>
        <translation>速率</translation>
    </message>
    <message>
        <source>Rates</source>
        <translation>速率</translation>
    </message>
    <message>
        <source>Rates of 1, 2, 4, … nodes, once they were measured</source>
        <translation>测量后显示 1、2、4……个节点的速率</translation>
    </message>
    <message>
        <source>Ray cluster</source>
        <translation>Ray 集群</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>读取</translation>
    </message>
    <message>
        <source>Read ahead</source>
        <translation>预读</translation>
    </message>
    <message>
        <source>Read ahead in order first, even the shared descriptor takes {time}.</source>
        <translation>先按顺序预读之后，即使共用描述符也只需 {time}。</translation>
    </message>
    <message>
        <source>Read from {file}.</source>
        <translation>读取自 {file}。</translation>
    </message>
    <message>
        <source>Read limit</source>
        <translation>读取限制</translation>
    </message>
    <message>
        <source>Read other large files before measuring cold starts.</source>
        <translation>测量冷启动前，请先读取其他大文件。</translation>
    </message>
    <message>
        <source>Read rate from storage. If lower than loaded, the page cache supplied the rest.</source>
        <translation>从存储读取的速度。若低于加载速度，其余部分来自页缓存。</translation>
    </message>
    <message>
        <source>Read requests per second to the disk, by the kernel; other programs count.</source>
        <translation>每秒对磁盘的读取请求数，由内核给出；包含其他程序。</translation>
    </message>
    <message>
        <source>Read the file into the page cache before each run</source>
        <translation>每次运行前将文件读入页缓存</translation>
    </message>
    <message>
        <source>Read the model ahead with modelmon launch or modelmon warm: about {least} instead of {now}.</source>
        <translation>请用 modelmon launch 或 modelmon warm 提前读取模型：约 {least}，而不是 {now}。</translation>
    </message>
    <message>
        <source>Read what it says, then download the file again.</source>
        <translation>请阅读其内容，然后重新下载文件。</translation>
    </message>
    <message>
        <source>Readahead</source>
        <translation>预读</translation>
    </message>
    <message>
        <source>Readahead is {size} already.</source>
        <translation>预读已是 {size}。</translation>
    </message>
    <message>
        <source>Readahead on this mount is small, and each request takes long.</source>
        <translation>内核在该挂载上预读很少，而那里每个请求都很慢。</translation>
    </message>
    <message>
        <source>Readahead on {name} is small, and each request takes long.</source>
        <translation>内核在 {name} 上预读很少，而那里每个请求都很慢。</translation>
    </message>
    <message>
        <source>Reader</source>
        <translation>读取器</translation>
    </message>
    <message>
        <source>Reader kind</source>
        <translation>读取器类型</translation>
    </message>
    <message>
        <source>Readers</source>
        <translation>读取器</translation>
    </message>
    <message>
        <source>Readers share shades: every {step} look the same.</source>
        <translation>读取器共用深浅：每隔 {step} 个看起来相同。</translation>
    </message>
    <message>
        <source>Readers waiting</source>
        <translation>等待中的读取器</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>读取</translation>
    </message>
    <message>
        <source>Reading a small part of the file to see how fast its storage is.</source>
        <translation>正在读取文件的一小部分，以了解存储的速度。</translation>
    </message>
    <message>
        <source>Reading takes {reading}, {share} of the wait.</source>
        <translation>读取用时 {reading}，占等待时间的 {share}。</translation>
    </message>
    <message>
        <source>Reading takes {reading}; {least} is possible here.</source>
        <translation>读取用时 {reading}；此处可达 {least}。</translation>
    </message>
    <message>
        <source>Reading the file into the cache</source>
        <translation>正在将文件读入缓存</translation>
    </message>
    <message>
        <source>Reading the history</source>
        <translation>正在读取历史</translation>
    </message>
    <message>
        <source>Reading the model</source>
        <translation>读取模型</translation>
    </message>
    <message>
        <source>Reading the run&apos;s recording.</source>
        <translation>正在读取此运行的记录。</translation>
    </message>
    <message>
        <source>Reading {file}</source>
        <translation>正在读取 {file}</translation>
    </message>
    <message>
        <source>Reading {window} ahead takes more than a quarter of free memory ({usable}), so pages would be dropped before use.</source>
        <translation>预读 {window} 会占用空闲内存（{usable}）的四分之一以上：读入的内容在使用前就会被丢弃。</translation>
    </message>
    <message>
        <source>Reading: {reading}.</source>
        <translation>读取：{reading}。</translation>
    </message>
    <message>
        <source>Reading: {reading}; faster reading saves up to {saved}.</source>
        <translation>读取：{reading}；加快读取最多可节省 {saved}。</translation>
    </message>
    <message>
        <source>Reads ahead of where the map is used.</source>
        <translation>在映射使用之前预读。</translation>
    </message>
    <message>
        <source>Reads into private memory. Fast where mmap is slow.</source>
        <translation>读入私有内存。映射慢时最佳。</translation>
    </message>
    <message>
        <source>Reads parts of the model; cached data stays cached</source>
        <translation>读取模型的若干部分；已缓存的内容保持缓存</translation>
    </message>
    <message>
        <source>Reads the file into private memory, through the page cache.</source>
        <translation>经过页缓存将文件读入私有内存。</translation>
    </message>
    <message>
        <source>Reads the file into private memory, which can&apos;t be swapped out.</source>
        <translation>将文件读入无法换出的私有内存。</translation>
    </message>
    <message>
        <source>Reads the file into the page cache ahead of the load.</source>
        <translation>在加载之前将文件读入页缓存。</translation>
    </message>
    <message>
        <source>Reads the file into the page cache, then maps it.</source>
        <translation>先把文件读入页缓存，再映射。</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>Ready at</source>
        <translation>就绪时刻</translation>
    </message>
    <message>
        <source>Ready when</source>
        <translation>就绪标志</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>最近</translation>
    </message>
    <message>
        <source>Recent models</source>
        <translation>最近的模型</translation>
    </message>
    <message>
        <source>Recommended</source>
        <translation>推荐</translation>
    </message>
    <message>
        <source>Record it to a file, which keeps them all{terminal}.</source>
        <translation>请录制到文件，文件会保存全部请求{terminal}。</translation>
    </message>
    <message>
        <source>Recording</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>Recording (*.jsonl)</source>
        <translation>记录 (*.jsonl)</translation>
    </message>
    <message>
        <source>Recordings (*.jsonl)</source>
        <translation>记录 (*.jsonl)</translation>
    </message>
    <message>
        <source>Recordings and results (*.jsonl *.json)</source>
        <translation>记录和结果 (*.jsonl *.json)</translation>
    </message>
    <message>
        <source>Recordings that can&apos;t be replayed afterwards: {number}.</source>
        <translation>之后无法回放的录制：{number}。</translation>
    </message>
    <message>
        <source>Refresh</source>
        <translation>刷新</translation>
    </message>
    <message>
        <source>Refreshing opens the files, which may drop their cached pages on FUSE.</source>
        <translation>每次刷新都会打开文件；在 FUSE 上这可能丢弃已缓存的页。</translation>
    </message>
    <message>
        <source>Relative
time</source>
        <translation>相对
时间</translation>
    </message>
    <message>
        <source>Remove from the list</source>
        <translation>从列表中移除</translation>
    </message>
    <message>
        <source>Remove star</source>
        <translation>移除星标</translation>
    </message>
    <message>
        <source>Remove that folder.</source>
        <translation>请删除该文件夹。</translation>
    </message>
    <message>
        <source>Remove the selected folder</source>
        <translation>移除所选文件夹</translation>
    </message>
    <message>
        <source>Remove {run} from the plots</source>
        <translation>从图表中移除 {run}</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Rename the file or folder, then open it.</source>
        <translation>请重命名文件或文件夹，然后再打开。</translation>
    </message>
    <message>
        <source>Repeat it</source>
        <translation>重复测量</translation>
    </message>
    <message>
        <source>Repeats</source>
        <translation>重复次数</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Replace {pipeline} with your model&apos;s own pipeline.</source>
        <translation>请用模型自己的 pipeline 替换 {pipeline}。</translation>
    </message>
    <message>
        <source>Replaces existing: {files}</source>
        <translation>将替换已有的：{files}</translation>
    </message>
    <message>
        <source>Replaces your preset of the same name</source>
        <translation>将替换您的同名预设</translation>
    </message>
    <message>
        <source>Replay</source>
        <translation>回放</translation>
    </message>
    <message>
        <source>Replay runs</source>
        <translation>回放运行</translation>
    </message>
    <message>
        <source>Report this with a recording of the run.</source>
        <translation>请附上该次运行的记录报告此问题。</translation>
    </message>
    <message>
        <source>Reported for GCSFuse: 7.2 GB took 16 minutes, after the cure under one.</source>
        <translation>有人报告 GCSFuse 上加载 7.2 GB 用了 16 分钟，修正后不到一分钟。</translation>
    </message>
    <message>
        <source>Reported for safetensors: 1,500 MB/s from a disk that reads 226 MB/s.</source>
        <translation>safetensors 的报告:读取速度 226 MB/s 的磁盘上达到 1,500 MB/s。</translation>
    </message>
    <message>
        <source>Reported: a Q4 model from a hard disk took a minute per block.</source>
        <translation>报告:从机械硬盘加载 Q4 模型,每个块需要一分钟。</translation>
    </message>
    <message>
        <source>Requantize the model to {instead}.</source>
        <translation>请将模型重新量化为 {instead}。</translation>
    </message>
    <message>
        <source>Request size</source>
        <translation>请求大小</translation>
    </message>
    <message>
        <source>Request sizes</source>
        <translation>请求大小</translation>
    </message>
    <message>
        <source>Requested at</source>
        <translation>请求时刻</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>Requests by size</source>
        <translation>按大小统计的请求</translation>
    </message>
    <message>
        <source>Requests that read parts of it. On most storage, fewer and larger ones are faster.</source>
        <translation>读取其中一部分的请求。在大多数存储上，次数少而每次多读会更快。</translation>
    </message>
    <message>
        <source>Reset all settings; folders are kept</source>
        <translation>重置所有设置；保留文件夹</translation>
    </message>
    <message>
        <source>Reset zoom</source>
        <translation>重置缩放</translation>
    </message>
    <message>
        <source>Reset {arm}</source>
        <translation>重置 {arm}</translation>
    </message>
    <message>
        <source>Rest</source>
        <translation>其余</translation>
    </message>
    <message>
        <source>Restart now</source>
        <translation>立即重启</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>还原</translation>
    </message>
    <message>
        <source>Restore defaults</source>
        <translation>恢复默认值</translation>
    </message>
    <message>
        <source>Restored {count} deleted runs.</source>
        <translation>已恢复 {count} 次被删除的运行。</translation>
    </message>
    <message>
        <source>Result is clear</source>
        <translation>结果已明确</translation>
    </message>
    <message>
        <source>Results so far are kept</source>
        <translation>已测得的结果保留</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Resume in a terminal, or give the same commands again.</source>
        <translation>请在终端中继续，或再次给出相同的命令。</translation>
    </message>
    <message>
        <source>Resume in the terminal, with the same --prepare and --resume.</source>
        <translation>请在终端中用相同的 --prepare 和 --resume 继续。</translation>
    </message>
    <message>
        <source>Resume it, or measure again.</source>
        <translation>请继续它，或重新测量。</translation>
    </message>
    <message>
        <source>Resume its comparison or Find best</source>
        <translation>继续其对比或寻找最佳</translation>
    </message>
    <message>
        <source>Resume where it&apos;s shown in full and asked about.</source>
        <translation>请在会完整显示命令并询问的地方继续。</translation>
    </message>
    <message>
        <source>Resumed {reference}.</source>
        <translation>已继续 {reference}。</translation>
    </message>
    <message>
        <source>Resuming runs the commands above, and there is no terminal to ask in.</source>
        <translation>恢复会运行上面的命令，但这里没有可以询问的终端。</translation>
    </message>
    <message>
        <source>Resuming runs these commands again. Run them?</source>
        <translation>继续会再次运行这些命令。要运行吗？</translation>
    </message>
    <message>
        <source>Resuming runs this command again. Run it?</source>
        <translation>继续会再次运行此命令。要运行吗？</translation>
    </message>
    <message>
        <source>Resuming stopped.</source>
        <translation>已停止继续。</translation>
    </message>
    <message>
        <source>Resuming {reference}</source>
        <translation>正在继续 {reference}</translation>
    </message>
    <message>
        <source>Round</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>Round {round} of {repeats}, start {start} of {starts}</source>
        <translation>第 {round}/{repeats} 轮，第 {start}/{starts} 次启动</translation>
    </message>
    <message>
        <source>Rule of thumb: keep 1.5× the model&apos;s size free.</source>
        <translation>经验法则：空闲内存应为模型大小的 1.5 倍。</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Run A</source>
        <translation>运行 A</translation>
    </message>
    <message>
        <source>Run A and B alternately and show which is faster</source>
        <translation>交替运行 A 和 B，显示哪个更快</translation>
    </message>
    <message>
        <source>Run A or B to see CPU use.</source>
        <translation>运行 A 或 B，查看处理器时间。</translation>
    </message>
    <message>
        <source>Run A or B to see how long each block takes.</source>
        <translation>运行 A 或 B，查看各块的耗时。</translation>
    </message>
    <message>
        <source>Run A or B to see how much time is spent waiting.</source>
        <translation>运行 A 或 B，查看有多少时间用于等待。</translation>
    </message>
    <message>
        <source>Run A or B to see memory use.</source>
        <translation>运行 A 或 B，查看内存占用。</translation>
    </message>
    <message>
        <source>Run A or B to see page faults.</source>
        <translation>运行 A 或 B，查看缺页。</translation>
    </message>
    <message>
        <source>Run A or B to see throughput.</source>
        <translation>运行 A 或 B，查看吞吐量。</translation>
    </message>
    <message>
        <source>Run A or B to see what the disk does.</source>
        <translation>运行 A 或 B，查看磁盘在做什么。</translation>
    </message>
    <message>
        <source>Run A or B to see when each block is ready.</source>
        <translation>运行 A 或 B 即可查看各块何时就绪。</translation>
    </message>
    <message>
        <source>Run A or B to see where and when it reads.</source>
        <translation>运行 A 或 B，查看它在何时读取何处。</translation>
    </message>
    <message>
        <source>Run A or B to see which parts of the files are in memory.</source>
        <translation>运行 A 或 B，查看文件的哪些部分在内存中。</translation>
    </message>
    <message>
        <source>Run B</source>
        <translation>运行 B</translation>
    </message>
    <message>
        <source>Run Find best with a longer time limit.</source>
        <translation>请让寻找最佳进行得更久。</translation>
    </message>
    <message>
        <source>Run a published case of a slow load again, explained</source>
        <translation>重现一个已公开的慢加载案例,并加以解释</translation>
    </message>
    <message>
        <source>Run a strategy of modelmon that does, and export it.</source>
        <translation>请运行一个在单个进程中加载的 modelmon 策略，然后导出它。</translation>
    </message>
    <message>
        <source>Run again</source>
        <translation>再次运行</translation>
    </message>
    <message>
        <source>Run again while the machine stays awake.</source>
        <translation>请在机器不休眠时重新运行。</translation>
    </message>
    <message>
        <source>Run again without stopping it.</source>
        <translation>请重新运行，期间不要暂停它。</translation>
    </message>
    <message>
        <source>Run again, with memory prepared before each run{terminal}.</source>
        <translation>请重新运行，并在每次运行前准备内存{terminal}。</translation>
    </message>
    <message>
        <source>Run again: it happens every two seconds.</source>
        <translation>请重新运行：这每两秒发生一次。</translation>
    </message>
    <message>
        <source>Run again; the log has more.</source>
        <translation>请重新运行；日志中有更多信息。</translation>
    </message>
    <message>
        <source>Run anyway</source>
        <translation>仍然运行</translation>
    </message>
    <message>
        <source>Run as the file&apos;s owner, where the system allows cachestat, to have it verified.</source>
        <translation>若要核实，请以文件所有者身份在允许 cachestat 的系统上运行。</translation>
    </message>
    <message>
        <source>Run as the owner of that file, or as root.</source>
        <translation>请以该文件的所有者或 root 身份运行。</translation>
    </message>
    <message>
        <source>Run as typed, without a shell. It&apos;s ended with all its processes when loaded.</source>
        <translation>按输入原样运行，不经过 shell。加载完成后，它及其所有进程都会被结束。</translation>
    </message>
    <message>
        <source>Run cpupower frequency-set -g schedutil or powerprofilesctl set balanced, or plug in.</source>
        <translation>请运行 cpupower frequency-set -g schedutil 或 powerprofilesctl set balanced，或接通电源。</translation>
    </message>
    <message>
        <source>Run finished after {time}</source>
        <translation>运行已结束，用时 {time}</translation>
    </message>
    <message>
        <source>Run history: {path}</source>
        <translation>运行历史：{path}</translation>
    </message>
    <message>
        <source>Run it again when the server can be reached.</source>
        <translation>请在可以连接服务器时重新运行。</translation>
    </message>
    <message>
        <source>Run it alone until it does.</source>
        <translation>请单独运行它，直到成功。</translation>
    </message>
    <message>
        <source>Run it alone until it succeeds.</source>
        <translation>请单独运行它，直到成功。</translation>
    </message>
    <message>
        <source>Run it alone until it succeeds. Here it gets no terminal and no input.</source>
        <translation>请单独运行它，直到成功。它在这里没有终端，也没有输入。</translation>
    </message>
    <message>
        <source>Run it in a terminal to see why.</source>
        <translation>请在终端中运行以查看原因。</translation>
    </message>
    <message>
        <source>Run order</source>
        <translation>运行顺序</translation>
    </message>
    <message>
        <source>Run python3 -m sglang.compile_deep_gemm once with the same options.</source>
        <translation>用相同选项运行一次 python3 -m sglang.compile_deep_gemm。</translation>
    </message>
    <message>
        <source>Run this strategy alone to measure its whole time.</source>
        <translation>单独运行此策略即可测出它的完整用时。</translation>
    </message>
    <message>
        <source>Run {count} pairs</source>
        <translation>运行 {count} 对</translation>
    </message>
    <message>
        <source>Run {id}</source>
        <translation>运行 {id}</translation>
    </message>
    <message>
        <source>Run {number}, {arm} {strategy}: {time}, {rate}, {start}</source>
        <translation>运行 {number}，{arm} {strategy}：{time}，{rate}，{start}</translation>
    </message>
    <message>
        <source>Run {number}, {program}: {parts}</source>
        <translation>运行 {number}，{program}：{parts}</translation>
    </message>
    <message>
        <source>Run {run_id} has no recording: it was too large, or deleted to save space.</source>
        <translation>运行 {run_id} 没有录制：它太大，或已删除以节省空间。</translation>
    </message>
    <message>
        <source>Runner-up: {strategy}.</source>
        <translation>第二名：{strategy}。</translation>
    </message>
    <message>
        <source>Runner-up: {way}. {when}</source>
        <translation>第二名：{way}。{when}</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>正在运行</translation>
    </message>
    <message>
        <source>Running, run {number}</source>
        <translation>运行中，第 {number} 次</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Runs A and B alternately, each in a new process from a cold cache.</source>
        <translation>A 与 B 交替运行，每次都在新进程中从冷缓存开始。</translation>
    </message>
    <message>
        <source>Runs for each number of nodes (1, 2, 4, …, all). Auto: 3, or 5 to compare</source>
        <translation>每种节点数（1、2、4……全部）的运行次数。自动：3 次，比较时 5 次</translation>
    </message>
    <message>
        <source>Runs of a part of the model: their times can&apos;t be compared with whole loads.</source>
        <translation>只加载模型一部分的运行：其时间不能与完整加载比较。</translation>
    </message>
    <message>
        <source>Runs of experiment x{experiment_id} were deleted.</source>
        <translation>实验 x{experiment_id} 的运行已被删除。</translation>
    </message>
    <message>
        <source>Runs that are over, of those planned. Compare ends early once the result is clear.</source>
        <translation>计划的运行中已完成的次数。结果明确后，对比会提前结束。</translation>
    </message>
    <message>
        <source>Runs that started as requested, of all runs. From five on, a range is known.</source>
        <translation>按要求启动的运行数，以及全部运行数。从五次起可知范围。</translation>
    </message>
    <message>
        <source>SATA class</source>
        <translation>SATA 级</translation>
    </message>
    <message>
        <source>SATA class: flash, or a disk that is capped</source>
        <translation>SATA 级：闪存，或被限速的磁盘</translation>
    </message>
    <message>
        <source>Same as modelmon doctor in a terminal</source>
        <translation>与终端中的 modelmon doctor 相同</translation>
    </message>
    <message>
        <source>Sample model written in {time}</source>
        <translation>示例模型已写好，用时 {time}</translation>
    </message>
    <message>
        <source>Sample models: {path}</source>
        <translation>示例模型：{path}</translation>
    </message>
    <message>
        <source>Sample what it does</source>
        <translation>采样其活动</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>采样</translation>
    </message>
    <message>
        <source>Sampling {rate}</source>
        <translation>采样 {rate}</translation>
    </message>
    <message>
        <source>Sampling {rate}, up to {late} late</source>
        <translation>采样 {rate}，最多晚 {late}</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save as preset</source>
        <translation>保存为预设</translation>
    </message>
    <message>
        <source>Save as preset…</source>
        <translation>保存为预设…</translation>
    </message>
    <message>
        <source>Save on</source>
        <translation>保存到</translation>
    </message>
    <message>
        <source>Save one with --out of modelmon compare, best or cluster.</source>
        <translation>用 modelmon compare、best 或 cluster 的 --out 保存一个。</translation>
    </message>
    <message>
        <source>Save plot</source>
        <translation>保存图</translation>
    </message>
    <message>
        <source>Save plot…</source>
        <translation>保存图…</translation>
    </message>
    <message>
        <source>Save recording</source>
        <translation>保存记录</translation>
    </message>
    <message>
        <source>Save recording…</source>
        <translation>保存记录…</translation>
    </message>
    <message>
        <source>Save the selected or latest run as a recording</source>
        <translation>将所选或最近的运行保存为记录</translation>
    </message>
    <message>
        <source>Save to</source>
        <translation>保存到</translation>
    </message>
    <message>
        <source>Save {number} selected</source>
        <translation>保存所选的 {number} 项</translation>
    </message>
    <message>
        <source>Saved as {reference}.</source>
        <translation>已保存为 {reference}。</translation>
    </message>
    <message>
        <source>Saved as {reference}. Discard keeps its runs in the history.</source>
        <translation>已保存为 {reference}。放弃后其运行仍保留在历史中。</translation>
    </message>
    <message>
        <source>Saved run {number} to {file}.</source>
        <translation>已将运行 {number} 保存到 {file}。</translation>
    </message>
    <message>
        <source>Saved run {number} to {path}.</source>
        <translation>运行 {number} 已保存到 {path}。</translation>
    </message>
    <message>
        <source>Saved {path}</source>
        <translation>已保存 {path}</translation>
    </message>
    <message>
        <source>Saved {path}.</source>
        <translation>已保存 {path}。</translation>
    </message>
    <message>
        <source>Saving run: {way}</source>
        <translation>正在保存运行：{way}</translation>
    </message>
    <message>
        <source>Scaling</source>
        <translation>扩展性</translation>
    </message>
    <message>
        <source>Search commands</source>
        <translation>搜索命令</translation>
    </message>
    <message>
        <source>Search models</source>
        <translation>搜索模型</translation>
    </message>
    <message>
        <source>Searched in addition to the usual model caches</source>
        <translation>除常用的模型缓存外，还在这些文件夹中查找</translation>
    </message>
    <message>
        <source>Searched: {sources}. Add folders in Settings.</source>
        <translation>已查找：{sources}。可在设置中添加文件夹。</translation>
    </message>
    <message>
        <source>Searched: {sources}. No models there. Add folders in Settings.</source>
        <translation>已搜索：{sources}。未找到模型。可在“设置”中添加文件夹。</translation>
    </message>
    <message>
        <source>Searching for programs…</source>
        <translation>正在查找程序…</translation>
    </message>
    <message>
        <source>Searching {sources} for models…</source>
        <translation>正在 {sources} 中查找模型…</translation>
    </message>
    <message>
        <source>Second start: {second} instead of {first}.</source>
        <translation>第二次启动：{second}，第一次为 {first}。</translation>
    </message>
    <message>
        <source>Seconds of the load per second of playback</source>
        <translation>每秒播放加载过程的秒数</translation>
    </message>
    <message>
        <source>Seconds; empty for 2</source>
        <translation>秒数；留空表示 2</translation>
    </message>
    <message>
        <source>See Details under Likely bottlenecks.</source>
        <translation>请查看“可能的瓶颈”下的“详情”。</translation>
    </message>
    <message>
        <source>See its output above. Run it on its own until it succeeds.</source>
        <translation>其输出见上。请单独运行它，直到成功。</translation>
    </message>
    <message>
        <source>See modelmon history clusters.</source>
        <translation>请参见 modelmon history clusters。</translation>
    </message>
    <message>
        <source>See the likely bottlenecks{terminal}.</source>
        <translation>请查看可能的瓶颈{terminal}。</translation>
    </message>
    <message>
        <source>See the list of runs{terminal}.</source>
        <translation>请查看运行列表{terminal}。</translation>
    </message>
    <message>
        <source>See what slows it down</source>
        <translation>查看是什么拖慢了它</translation>
    </message>
    <message>
        <source>See what&apos;s in it, where it&apos;s stored, and whether it fits in memory.</source>
        <translation>查看它的内容、存储位置，以及内存是否放得下。</translation>
    </message>
    <message>
        <source>See whether ssh reaches it in a terminal.</source>
        <translation>请在终端中检查 ssh 能否连接。</translation>
    </message>
    <message>
        <source>See whether there is room in its cache folder.</source>
        <translation>请检查其缓存文件夹是否有空间。</translation>
    </message>
    <message>
        <source>See why a model loads slowly, and load it faster.</source>
        <translation>看清模型为何加载缓慢，并让它加载得更快。</translation>
    </message>
    <message>
        <source>See why in the Runs tab{terminal}, then compare again.</source>
        <translation>请在“运行”选项卡中查看原因{terminal}，然后重新对比。</translation>
    </message>
    <message>
        <source>Seen by</source>
        <translation>观察方式</translation>
    </message>
    <message>
        <source>Seen by the pages that came into the page cache: which bytes, and when.</source>
        <translation>由进入页缓存的页得知：哪些字节，以及何时进入。</translation>
    </message>
    <message>
        <source>Seen by the program&apos;s counters: a total over time, without blocks.</source>
        <translation>由程序的计数器得知：随时间的总量，不分块。</translation>
    </message>
    <message>
        <source>Seen in {warned} of {runs} runs.</source>
        <translation>在 {runs} 次运行中出现 {warned} 次。</translation>
    </message>
    <message>
        <source>Seen on {before} days up to {last_before}, and on {since} days since.</source>
        <translation>在截至 {last_before} 的 {before} 天和之后的 {since} 天中看到。</translation>
    </message>
    <message>
        <source>Select a bar for details</source>
        <translation>选择一根柱以查看详情</translation>
    </message>
    <message>
        <source>Select a folder first.</source>
        <translation>请先选择一个文件夹。</translation>
    </message>
    <message>
        <source>Select a program.</source>
        <translation>请选择一个程序。</translation>
    </message>
    <message>
        <source>Select a row for the times of its block.</source>
        <translation>选择一行以查看该块的时间。</translation>
    </message>
    <message>
        <source>Select a time range, or move its edge</source>
        <translation>选择时间区间，或移动其边缘</translation>
    </message>
    <message>
        <source>Select one run, or the runs of one comparison.</source>
        <translation>请选择一次运行，或同一对比中的运行。</translation>
    </message>
    <message>
        <source>Select one run.</source>
        <translation>请选择一次运行。</translation>
    </message>
    <message>
        <source>Select runs in the table.</source>
        <translation>请在表中选择运行。</translation>
    </message>
    <message>
        <source>Select runs that have recordings.</source>
        <translation>请选择有记录的运行。</translation>
    </message>
    <message>
        <source>Select two or more runs.</source>
        <translation>请选择两次或更多运行。</translation>
    </message>
    <message>
        <source>September 2025</source>
        <translation>2025 年 9 月</translation>
    </message>
    <message>
        <source>Sequential</source>
        <translation>从头到尾</translation>
    </message>
    <message>
        <source>Served by</source>
        <translation>提供程序</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Set -ngl and -c, and start it with -fit off.</source>
        <translation>自行设置 -ngl 和 -c，并以 -fit off 启动。</translation>
    </message>
    <message>
        <source>Set OLLAMA_LOAD_TIMEOUT: Ollama gives up after 5 minutes without progress.</source>
        <translation>请设置 OLLAMA_LOAD_TIMEOUT：Ollama 在 5 分钟没有进展后会放弃。</translation>
    </message>
    <message>
        <source>Set TMPDIR to a folder with more room.</source>
        <translation>请把 TMPDIR 设为空间更大的文件夹。</translation>
    </message>
    <message>
        <source>Set VLLM_SKIP_P2P_CHECK=1; vLLM 0.10.1 and later do so themselves.</source>
        <translation>设置 VLLM_SKIP_P2P_CHECK=1；vLLM 0.10.1 及以后版本自行如此。</translation>
    </message>
    <message>
        <source>Set a smaller OLLAMA_CONTEXT_LENGTH: conversations get shorter.</source>
        <translation>设置更小的 OLLAMA_CONTEXT_LENGTH：对话长度会变短。</translation>
    </message>
    <message>
        <source>Set delivery to streamed, best with direct I/O; or free memory{terminal}.</source>
        <translation>将“交付”设为 streamed，最好配合直接 I/O；或释放内存{terminal}。</translation>
    </message>
    <message>
        <source>Set delivery to streamed{terminal}.</source>
        <translation>将“交付”设为 streamed{terminal}。</translation>
    </message>
    <message>
        <source>Set delivery to usable or owned. A single run shows an untouched time{terminal}.</source>
        <translation>将“交付”设为 usable 或 owned。单独运行可得到 untouched 的时间{terminal}。</translation>
    </message>
    <message>
        <source>Set for it</source>
        <translation>为其设置</translation>
    </message>
    <message>
        <source>Set nothing: start {title} as you do.</source>
        <translation>无需设置：照常启动 {title}。</translation>
    </message>
    <message>
        <source>Set rank_share to slice, or let one rank read for all: saves up to {saved}.</source>
        <translation>请将 rank_share 设为 slice，或让一个并行秩为所有秩读取：最多可节省 {saved}。</translation>
    </message>
    <message>
        <source>Set the limit to 1.5 times the model or more.</source>
        <translation>请把限制设为模型大小的 1.5 倍或更多。</translation>
    </message>
    <message>
        <source>Set: {setting} (known to {title} since: {since}).</source>
        <translation>设置：{setting}（{title} 自 {since} 起支持）。</translation>
    </message>
    <message>
        <source>Setting the cache</source>
        <translation>正在设置缓存</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Settings aren&apos;t saved: {file} can&apos;t be written. Free space there, or check the folder&apos;s permissions.</source>
        <translation>设置未保存：无法写入 {file}。请释放空间，或检查文件夹的权限。</translation>
    </message>
    <message>
        <source>Settings can&apos;t change during a run.</source>
        <translation>运行进行中无法更改设置。</translation>
    </message>
    <message>
        <source>Settings changed</source>
        <translation>设置已更改</translation>
    </message>
    <message>
        <source>Settings changed since. This compared {a} (A) with {b} (B).</source>
        <translation>此后设置已更改。此次对比的是 {a}（A）与 {b}（B）。</translation>
    </message>
    <message>
        <source>Settings for programs</source>
        <translation>各程序的设置</translation>
    </message>
    <message>
        <source>Settings: {axes}.</source>
        <translation>可用的轴：{axes}。</translation>
    </message>
    <message>
        <source>Settings: {path}</source>
        <translation>设置：{path}</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>设置…</translation>
    </message>
    <message>
        <source>Setup (not timed)</source>
        <translation>准备（不计时）</translation>
    </message>
    <message>
        <source>Several processes, each with its own descriptor.</source>
        <translation>多个进程，各有自己的描述符。</translation>
    </message>
    <message>
        <source>Several readers hide its latency. {compare}</source>
        <translation>多个读取器可以掩盖它的往返时间。{compare}</translation>
    </message>
    <message>
        <source>Several runs were faster than the disk when it was measured.</source>
        <translation>多次运行比测速时的磁盘更快。</translation>
    </message>
    <message>
        <source>Several threads read at once.</source>
        <translation>多个线程同时读取。</translation>
    </message>
    <message>
        <source>Several threads read at once. Often fast on NVMe.</source>
        <translation>多个线程同时读取。在 NVMe 上通常较快。</translation>
    </message>
    <message>
        <source>Several threads read past the page cache.</source>
        <translation>多个线程绕过页缓存读取。</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Shard</source>
        <translation>分片</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Share of readers that waited, sampled. The card shows the whole load&apos;s exact share. (PSI): I/O pressure, where that&apos;s unknown.</source>
        <translation>等待的读取器所占比例，按采样。卡片显示整次加载的准确比例。（PSI）：未知时显示 I/O 压力。</translation>
    </message>
    <message>
        <source>Share of the file in the page cache, from {source}</source>
        <translation>文件在页缓存中的占比，由 {source} 得知</translation>
    </message>
    <message>
        <source>Shared limit</source>
        <translation>共享上限</translation>
    </message>
    <message>
        <source>Shared: {gets} GETs wait {wait}. Own: {own} GETs. The bytes are the same.</source>
        <translation>共用:{gets} 个 GET 等待 {wait}。各自:{own} 个 GET。字节数相同。</translation>
    </message>
    <message>
        <source>Share…</source>
        <translation>分享…</translation>
    </message>
    <message>
        <source>Shift+drag</source>
        <translation>Shift+拖动</translation>
    </message>
    <message>
        <source>Shift+wheel</source>
        <translation>Shift+滚轮</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Show A</source>
        <translation>显示 A</translation>
    </message>
    <message>
        <source>Show A and B</source>
        <translation>显示 A 和 B</translation>
    </message>
    <message>
        <source>Show A and B again</source>
        <translation>重新显示 A 和 B</translation>
    </message>
    <message>
        <source>Show A, B, or both</source>
        <translation>显示 A、B 或两者</translation>
    </message>
    <message>
        <source>Show B</source>
        <translation>显示 B</translation>
    </message>
    <message>
        <source>Show all plots</source>
        <translation>显示全部图表</translation>
    </message>
    <message>
        <source>Show both</source>
        <translation>同时显示</translation>
    </message>
    <message>
        <source>Show default plots</source>
        <translation>显示默认图表</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>在文件夹中显示</translation>
    </message>
    <message>
        <source>Show in place of A</source>
        <translation>在 A 中显示</translation>
    </message>
    <message>
        <source>Show in place of B</source>
        <translation>代替 B 显示</translation>
    </message>
    <message>
        <source>Show in plots</source>
        <translation>在图中显示</translation>
    </message>
    <message>
        <source>Show its comparison or Find best</source>
        <translation>显示其对比或寻找最佳</translation>
    </message>
    <message>
        <source>Show or hide {series}</source>
        <translation>显示或隐藏 {series}</translation>
    </message>
    <message>
        <source>Show request sizes</source>
        <translation>显示请求大小</translation>
    </message>
    <message>
        <source>Show the run next to A and B in the plots</source>
        <translation>在图中与 A、B 一同显示此运行</translation>
    </message>
    <message>
        <source>Show the runs in the whole window</source>
        <translation>在整个窗口中显示运行记录</translation>
    </message>
    <message>
        <source>Show {arm} again</source>
        <translation>重新显示 {arm}</translation>
    </message>
    <message>
        <source>Show {series}</source>
        <translation>显示 {series}</translation>
    </message>
    <message>
        <source>Shown as the program reads the model.</source>
        <translation>在程序读取模型时显示。</translation>
    </message>
    <message>
        <source>Shown once the load has finished.</source>
        <translation>加载结束后显示。</translation>
    </message>
    <message>
        <source>Shown once the load is ready.</source>
        <translation>加载就绪后立即显示。</translation>
    </message>
    <message>
        <source>Shown when a model is open.</source>
        <translation>打开模型后显示。</translation>
    </message>
    <message>
        <source>Shown when the settings match no other strategy</source>
        <translation>设置与其他策略都不相同时显示</translation>
    </message>
    <message>
        <source>Shows</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Shows this machine&apos;s page cache only, not {filesystem}&apos;s own cache.</source>
        <translation>只显示本机的页缓存，不含 {filesystem} 自身的缓存。</translation>
    </message>
    <message>
        <source>Shows which Python functions each phase is in, with py-spy</source>
        <translation>用 py-spy 显示每个阶段在执行哪些 Python 函数</translation>
    </message>
    <message>
        <source>Shows which phases only the first start pays for; the second finds a warm cache</source>
        <translation>显示哪些阶段只在第一次启动时耗时；第二次启动时缓存已预热</translation>
    </message>
    <message>
        <source>Side panel</source>
        <translation>侧边栏</translation>
    </message>
    <message>
        <source>Simulated storage</source>
        <translation>模拟存储</translation>
    </message>
    <message>
        <source>Simulated storage needs Linux.</source>
        <translation>模拟存储需要 Linux。</translation>
    </message>
    <message>
        <source>Simulated storage: {kind}.</source>
        <translation>模拟存储:{kind}。</translation>
    </message>
    <message>
        <source>Since</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>Since September 2026 it reads weights that don&apos;t fit the GPU from a fast NVMe disk at each step: --disable-fast-disk keeps them in memory (Comfy-Org/ComfyUI#16415).</source>
        <translation>自 2026 年 9 月起，它在每一步从快速 NVMe 磁盘读取 GPU 容纳不下的权重：--disable-fast-disk 将其保留在内存中（Comfy-Org/ComfyUI#16415）。</translation>
    </message>
    <message>
        <source>Since version 5 it reads with up to 4 threads and ignores HF_ENABLE_PARALLEL_LOADING. HF_DEACTIVATE_ASYNC_LOAD=1 leaves one thread: less memory, more time.</source>
        <translation>自版本 5 起，它最多用 4 个线程读取，并忽略 HF_ENABLE_PARALLEL_LOADING。HF_DEACTIVATE_ASYNC_LOAD=1 只留一个线程：内存更少，时间更长。</translation>
    </message>
    <message>
        <source>Single run, no comparison.</source>
        <translation>单次运行，没有对比。</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Size of one request. Larger ones wait less often; smaller ones are shared out more evenly.</source>
        <translation>一个请求的大小。较大的等待次数较少；较小的分配得更均匀。</translation>
    </message>
    <message>
        <source>Sizes</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Skips the warm-up run: ready sooner, but the first answer takes longer.</source>
        <translation>跳过预热运行：更早就绪，但首次回答更慢。</translation>
    </message>
    <message>
        <source>Slices across all nodes have one rank per node.</source>
        <translation>跨所有节点切片时，每个节点一个 rank。</translation>
    </message>
    <message>
        <source>Slices, as tensor-parallel model code takes them.</source>
        <translation>切片，与张量并行的模型代码相同。</translation>
    </message>
    <message>
        <source>Slowest first</source>
        <translation>最慢在前</translation>
    </message>
    <message>
        <source>Small file</source>
        <translation>小文件</translation>
    </message>
    <message>
        <source>Some deleted runs couldn&apos;t be restored.</source>
        <translation>部分被删除的运行无法恢复。</translation>
    </message>
    <message>
        <source>Some memory is swapped out; a load may swap out more.</source>
        <translation>部分内存已被换出，加载可能使更多内存被换出。</translation>
    </message>
    <message>
        <source>Some of its readers have nothing to read.</source>
        <translation>部分读取器没有可读的内容。</translation>
    </message>
    <message>
        <source>Something in modelmon went wrong. The window stays open.</source>
        <translation>modelmon 出现错误。窗口会保持打开。</translation>
    </message>
    <message>
        <source>Something in modelmon went wrong: {error}. Details are in {path}.</source>
        <translation>modelmon 出了问题：{error}。详情见 {path}。</translation>
    </message>
    <message>
        <source>Sort by</source>
        <translation>排序方式</translation>
    </message>
    <message>
        <source>Sort by this column</source>
        <translation>按此列排序</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Speed changed midway</source>
        <translation>速度中途改变</translation>
    </message>
    <message>
        <source>Speedup</source>
        <translation>速度比</translation>
    </message>
    <message>
        <source>Speedup: times as fast as the first. For a confidence interval, compare two{terminal}.</source>
        <translation>速度比：速度是第一行的多少倍。需要置信区间时，请对比其中两项{terminal}。</translation>
    </message>
    <message>
        <source>Stalls (PSI)</source>
        <translation>停顿（PSI）</translation>
    </message>
    <message>
        <source>Star</source>
        <translation>加星标</translation>
    </message>
    <message>
        <source>Starred</source>
        <translation>已加星标</translation>
    </message>
    <message>
        <source>Starred: {number}.</source>
        <translation>已加星标：{number}。</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>Start Find best again.</source>
        <translation>请重新开始寻找最佳。</translation>
    </message>
    <message>
        <source>Start a new comparison.</source>
        <translation>请重新对比。</translation>
    </message>
    <message>
        <source>Start a new one.</source>
        <translation>请重新开始。</translation>
    </message>
    <message>
        <source>Start anyway</source>
        <translation>仍然开始</translation>
    </message>
    <message>
        <source>Start from a cold cache that is verified: modelmon run evicts and checks.</source>
        <translation>从经过验证的冷缓存开始:modelmon run 会逐出并检查。</translation>
    </message>
    <message>
        <source>Start it again from the same cache state</source>
        <translation>从相同的缓存状态再次启动它</translation>
    </message>
    <message>
        <source>Start it again.</source>
        <translation>请重新启动。</translation>
    </message>
    <message>
        <source>Start it by modelmon launch --warm-first, which reads the model before.</source>
        <translation>用 modelmon launch --warm-first 启动它，先读完模型再启动。</translation>
    </message>
    <message>
        <source>Start it by modelmon launch, which reads the model ahead.</source>
        <translation>用 modelmon launch 启动，它会提前读取模型。</translation>
    </message>
    <message>
        <source>Start it first. Only that user or root sees another user&apos;s program.</source>
        <translation>请先启动它。其他用户的程序只有该用户或 root 能看到。</translation>
    </message>
    <message>
        <source>Start it in the foreground to have it ended when it should be.</source>
        <translation>请在前台启动它，以便在该结束时结束它。</translation>
    </message>
    <message>
        <source>Start it twice</source>
        <translation>启动两次</translation>
    </message>
    <message>
        <source>Start it with --cuda-graph-backend-decode=disabled, before June 2026 with --disable-cuda-graph: answers come more slowly.</source>
        <translation>启动时加上 --cuda-graph-backend-decode=disabled（2026 年 6 月之前的版本用 --disable-cuda-graph）：回答会变慢。</translation>
    </message>
    <message>
        <source>Start it with --disable-all-custom-nodes, or remove slow ones.</source>
        <translation>以 --disable-all-custom-nodes 启动，或移除慢的自定义节点。</translation>
    </message>
    <message>
        <source>Start it with --no-repack: prompts on processors get slower.</source>
        <translation>以 --no-repack 启动：在处理器上处理提示词会变慢。</translation>
    </message>
    <message>
        <source>Start it with --no-warmup: the first answer takes longer.</source>
        <translation>以 --no-warmup 启动：第一次回答更慢。</translation>
    </message>
    <message>
        <source>Start it with --skip-server-warmup: the first answer is slower.</source>
        <translation>以 --skip-server-warmup 启动：第一次回答更慢。</translation>
    </message>
    <message>
        <source>Start it with a smaller context (-c): conversations get shorter.</source>
        <translation>以更小的上下文（-c）启动：可用的对话变短。</translation>
    </message>
    <message>
        <source>Start new</source>
        <translation>启动新程序</translation>
    </message>
    <message>
        <source>Start of {arm}</source>
        <translation>{arm} 的启动</translation>
    </message>
    <message>
        <source>Start one with ray start, or name another with --address.</source>
        <translation>请用 ray start 启动一个，或用 --address 指定另一个。</translation>
    </message>
    <message>
        <source>Start state</source>
        <translation>启动状态</translation>
    </message>
    <message>
        <source>Start to ready</source>
        <translation>从启动到就绪</translation>
    </message>
    <message>
        <source>Started from</source>
        <translation>启动状态</translation>
    </message>
    <message>
        <source>Started late</source>
        <translation>启动延迟</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>正在启动</translation>
    </message>
    <message>
        <source>Starting a new process</source>
        <translation>正在启动新进程</translation>
    </message>
    <message>
        <source>Starts</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>Starts were cold on this machine; the server&apos;s cache can&apos;t be seen.</source>
        <translation>在本机上是冷启动；服务器的缓存无法得知。</translation>
    </message>
    <message>
        <source>Starts with the model in the page cache are hardly shorter here.</source>
        <translation>在这里，模型已在页缓存中时启动几乎不会更快。</translation>
    </message>
    <message>
        <source>Starts with the model in the page cache weren&apos;t measured here.</source>
        <translation>这里没有测量模型已在页缓存中的启动。</translation>
    </message>
    <message>
        <source>Starts {title} with {count} settings, one after the other: up to {budget}, less if the result is clear sooner. A run takes {time} or more.</source>
        <translation>依次用 {count} 种设置启动 {title}：最多 {budget}，结果提前明确则更短。一次运行至少需要 {time}。</translation>
    </message>
    <message>
        <source>State of the page cache at the start. Only runs that start alike compare.</source>
        <translation>开始时页缓存的状态。只有启动状态相同的运行才能比较。</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Still close: {names}. Continue the search for {time}.</source>
        <translation>仍然接近：{names}。请再继续搜索 {time}。</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop Compare A/B and close?</source>
        <translation>停止“对比 A/B”并关闭？</translation>
    </message>
    <message>
        <source>Stop Find best and close?</source>
        <translation>停止“寻找最佳”并关闭？</translation>
    </message>
    <message>
        <source>Stop and close</source>
        <translation>停止并关闭</translation>
    </message>
    <message>
        <source>Stop any time and keep the best so far</source>
        <translation>可随时停止，并保留目前的最佳结果</translation>
    </message>
    <message>
        <source>Stop any time and keep what was measured</source>
        <translation>可随时停止，并保留已测量的内容</translation>
    </message>
    <message>
        <source>Stop the current task</source>
        <translation>停止正在进行的工作</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Stopped early</source>
        <translation>提前停止</translation>
    </message>
    <message>
        <source>Stopped early.</source>
        <translation>提前停止。</translation>
    </message>
    <message>
        <source>Stopped early: these are fewer starts than asked for.</source>
        <translation>提前停止：启动次数少于要求。</translation>
    </message>
    <message>
        <source>Stopped early: {why}</source>
        <translation>提前停止：{why}</translation>
    </message>
    <message>
        <source>Stopped measuring the cluster.</source>
        <translation>已停止测量集群。</translation>
    </message>
    <message>
        <source>Stopped opening {file}.</source>
        <translation>已停止打开 {file}。</translation>
    </message>
    <message>
        <source>Stopped watching {program}.</source>
        <translation>已停止观察 {program}。</translation>
    </message>
    <message>
        <source>Stopped writing the sample.</source>
        <translation>已停止写入示例模型。</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>已停止。</translation>
    </message>
    <message>
        <source>Stopping Find best</source>
        <translation>正在停止寻找最佳</translation>
    </message>
    <message>
        <source>Stopping {arm}</source>
        <translation>正在停止 {arm}</translation>
    </message>
    <message>
        <source>Stopping {program}</source>
        <translation>正在停止 {program}</translation>
    </message>
    <message>
        <source>Stopping.</source>
        <translation>正在停止。</translation>
    </message>
    <message>
        <source>Storage</source>
        <translation>存储</translation>
    </message>
    <message>
        <source>Storage isn&apos;t the problem: {where}</source>
        <translation>问题不在存储：{where}</translation>
    </message>
    <message>
        <source>Storage: {kind}, up to {rate}.</source>
        <translation>存储：{kind}，最高 {rate}。</translation>
    </message>
    <message>
        <source>Stored bytes a second, with {threads} threads.</source>
        <translation>每秒解码的存储字节数，使用 {threads} 个线程。</translation>
    </message>
    <message>
        <source>Stored: the same for one process, which wasn&apos;t measured.</source>
        <translation>已保存：同样设置的单进程版本，未经测量。</translation>
    </message>
    <message>
        <source>Stored: {stored} ({time}), since load_model can&apos;t load like {found}.</source>
        <translation>已存储：{stored}（{time}），因为 load_model 不能像 {found} 那样加载。</translation>
    </message>
    <message>
        <source>Stories</source>
        <translation>案例</translation>
    </message>
    <message>
        <source>Stories…</source>
        <translation>案例…</translation>
    </message>
    <message>
        <source>Story</source>
        <translation>案例</translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>Strategy of {arm}</source>
        <translation>{arm} 的策略</translation>
    </message>
    <message>
        <source>Strategy to export</source>
        <translation>要导出的策略</translation>
    </message>
    <message>
        <source>Strategy {arm}</source>
        <translation>策略 {arm}</translation>
    </message>
    <message>
        <source>Stream the model with {label} instead of loading it whole: {why_streamed}.</source>
        <translation>请用 {label} 流式读取模型，而不是完整加载：{why_streamed}。</translation>
    </message>
    <message>
        <source>Streamed through a small buffer: no bytes are kept in memory.</source>
        <translation>数据流经一个小缓冲区：内存中不保留。</translation>
    </message>
    <message>
        <source>Swap</source>
        <translation>交换空间</translation>
    </message>
    <message>
        <source>Swap A and B</source>
        <translation>交换 A 和 B</translation>
    </message>
    <message>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>System colors</source>
        <translation>跟随系统配色</translation>
    </message>
    <message>
        <source>Takes effect after restart</source>
        <translation>重启后生效</translation>
    </message>
    <message>
        <source>Takes up to two minutes on simulated storage, and leaves nothing.</source>
        <translation>在模拟存储上最多两分钟,不留下任何东西。</translation>
    </message>
    <message>
        <source>Tensor by tensor, as most model code does.</source>
        <translation>逐个张量，与多数模型代码相同。</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Tensors by size</source>
        <translation>按大小分布的张量</translation>
    </message>
    <message>
        <source>Test every strategy that works here and recommend one</source>
        <translation>测试此处可用的所有策略，并推荐其一</translation>
    </message>
    <message>
        <source>Test the load settings of {title}</source>
        <translation>测试 {title} 的加载设置</translation>
    </message>
    <message>
        <source>Test these settings{terminal}.</source>
        <translation>测试这些设置{terminal}。</translation>
    </message>
    <message>
        <source>Test these settings…</source>
        <translation>测试这些设置…</translation>
    </message>
    <message>
        <source>Test {setting}</source>
        <translation>测试 {setting}</translation>
    </message>
    <message>
        <source>Test: {settings}</source>
        <translation>测试：{settings}</translation>
    </message>
    <message>
        <source>Tests {count} strategies, then variants of the fastest: up to {runs} runs of about {time} in {budget}. Ends sooner if the result is clear.</source>
        <translation>测试 {count} 种策略，然后是最快者的变体：在 {budget} 内最多 {runs} 次运行，每次约 {time}。结果明确时会提前结束。</translation>
    </message>
    <message>
        <source>Text and facts</source>
        <translation>文本与说明</translation>
    </message>
    <message>
        <source>Text of {file}</source>
        <translation>{file} 的内容</translation>
    </message>
    <message>
        <source>Text or regular expression</source>
        <translation>文本或正则表达式</translation>
    </message>
    <message>
        <source>That is as fast as {storage} allows.</source>
        <translation>这已达到{storage}所能提供的最快速度。</translation>
    </message>
    <message>
        <source>The --prepare command failed with exit code {returncode}: {command}</source>
        <translation>--prepare 的命令以退出码 {returncode} 结束：{command}</translation>
    </message>
    <message>
        <source>The access pattern announced to the kernel. sequential: it reads farther ahead; random: not at all.</source>
        <translation>告知内核的访问模式。sequential：预读更远；random：完全不预读。</translation>
    </message>
    <message>
        <source>The block&apos;s share of the load time; all blocks add up to it.</source>
        <translation>该块在加载时间中所占的部分；所有块之和即为加载时间。</translation>
    </message>
    <message>
        <source>The cause: four workers shared one descriptor (huggingface/diffusers#10280).</source>
        <translation>原因：四个工作进程共用一个描述符（huggingface/diffusers#10280）。</translation>
    </message>
    <message>
        <source>The cgroup limit applies. Raise it, or compare part of the model.</source>
        <translation>受 cgroup 上限限制。请提高上限，或只对比模型的一部分。</translation>
    </message>
    <message>
        <source>The cluster has {found} nodes with a processor, not {count}.</source>
        <translation>集群有 {found} 个带处理器的节点，而不是 {count} 个。</translation>
    </message>
    <message>
        <source>The cluster&apos;s driver ended without a result.</source>
        <translation>集群的驱动进程结束，没有结果。</translation>
    </message>
    <message>
        <source>The command doesn&apos;t name the model&apos;s file. Check that it loads it.</source>
        <translation>命令中没有指定模型的文件。请检查它是否会加载该文件。</translation>
    </message>
    <message>
        <source>The command is empty.</source>
        <translation>命令为空。</translation>
    </message>
    <message>
        <source>The command names no single model.</source>
        <translation>命令没有指定唯一的模型。</translation>
    </message>
    <message>
        <source>The comparison doesn&apos;t recommend {arm}. {sentence}</source>
        <translation>{arm} 不是对比所推荐的。{sentence}</translation>
    </message>
    <message>
        <source>The connection to {server} was lost.</source>
        <translation>与 {server} 的连接已断开。</translation>
    </message>
    <message>
        <source>The copy on {server} only measures. Install modelmon there, then run: modelmon remote install {server}</source>
        <translation>{server} 上的副本只能测量。请在那里安装 modelmon，然后运行：modelmon remote install {server}</translation>
    </message>
    <message>
        <source>The disk measurement wasn&apos;t saved: {why}</source>
        <translation>磁盘测速结果未保存：{why}</translation>
    </message>
    <message>
        <source>The disk, and the machine if it&apos;s another one</source>
        <translation>磁盘；若为其他机器，也显示机器</translation>
    </message>
    <message>
        <source>The events of this run are from another version: {reason}</source>
        <translation>本次运行的事件不属于此版本：{reason}</translation>
    </message>
    <message>
        <source>The file is cached now: choose Warm to compare warm starts.</source>
        <translation>文件现在已缓存：若要这样对比，请选择热启动。</translation>
    </message>
    <message>
        <source>The file is cached, and measuring leaves it so.</source>
        <translation>文件已缓存，磁盘测速不改变这一状态。</translation>
    </message>
    <message>
        <source>The file is empty.</source>
        <translation>文件为空。</translation>
    </message>
    <message>
        <source>The file is in memory (tmpfs)</source>
        <translation>文件位于内存中（tmpfs）；缓存之外没有内容</translation>
    </message>
    <message>
        <source>The file is in memory (tmpfs): there&apos;s no slower place to load it from.</source>
        <translation>文件位于内存中（tmpfs）；没有更慢的存储可供加载。</translation>
    </message>
    <message>
        <source>The file is on a Windows drive: every request goes through Windows.</source>
        <translation>该路径位于 Windows 驱动器上：每个请求都要经过 Windows。</translation>
    </message>
    <message>
        <source>The file is on another machine, or on this one&apos;s host.</source>
        <translation>该路径位于另一台机器上，或位于本机的宿主机上。</translation>
    </message>
    <message>
        <source>The file takes less space than its size: it has holes or is compressed.</source>
        <translation>文件占用的空间少于其字节数：它有空洞或被压缩过。</translation>
    </message>
    <message>
        <source>The file was cut or its storage failed: check it and open the model again.</source>
        <translation>文件被截断或存储出错：请检查并重新打开模型。</translation>
    </message>
    <message>
        <source>The file was truncated, or its storage failed (bus error).</source>
        <translation>文件被截断，或其存储出错（总线错误）。</translation>
    </message>
    <message>
        <source>The files have changed since the model was opened. Open it again.</source>
        <translation>打开模型后文件已更改。请重新打开。</translation>
    </message>
    <message>
        <source>The filesystem has no direct I/O for this file</source>
        <translation>文件系统对该文件不支持直接 I/O</translation>
    </message>
    <message>
        <source>The filesystem refuses O_DIRECT</source>
        <translation>文件系统拒绝 O_DIRECT</translation>
    </message>
    <message>
        <source>The first round reads {size}, at {rate} by a quick measurement.</source>
        <translation>第一轮读取 {size}，据短暂测量速度为 {rate}。</translation>
    </message>
    <message>
        <source>The folder is created by the first run.</source>
        <translation>首次运行时创建该文件夹。</translation>
    </message>
    <message>
        <source>The folder {parent} doesn&apos;t exist.</source>
        <translation>没有文件夹 {parent}。</translation>
    </message>
    <message>
        <source>The history {path} has schema {schema}; this version of modelmon knows {count}.</source>
        <translation>历史 {path} 的模式版本是 {schema}；此版本的 modelmon 支持到 {count}。</translation>
    </message>
    <message>
        <source>The history {path} is a folder.</source>
        <translation>历史 {path} 是一个文件夹。</translation>
    </message>
    <message>
        <source>The history {path} is damaged: {reason}.</source>
        <translation>历史 {path} 已损坏：{reason}。</translation>
    </message>
    <message>
        <source>The job speaks protocol {protocol}, this worker {ev_protocol}.</source>
        <translation>任务使用协议 {protocol}，此工作进程使用 {ev_protocol}。</translation>
    </message>
    <message>
        <source>The kernel couldn&apos;t read all pages of the file (EFAULT).</source>
        <translation>内核无法读取文件的全部页（EFAULT）。</translation>
    </message>
    <message>
        <source>The kernel maps all at once.</source>
        <translation>由内核一次全部映射。</translation>
    </message>
    <message>
        <source>The load can&apos;t be traced: {reason}.</source>
        <translation>无法跟踪加载：{reason}。</translation>
    </message>
    <message>
        <source>The load didn&apos;t finish.</source>
        <translation>加载未结束。</translation>
    </message>
    <message>
        <source>The load ended after {count}: rely on totals, not curves.</source>
        <translation>加载在 {count}后就结束了：请看总计，而非曲线。</translation>
    </message>
    <message>
        <source>The load ended before the next check.</source>
        <translation>下次检测之前加载已结束。</translation>
    </message>
    <message>
        <source>The load failed: no address space is left.</source>
        <translation>加载失败：没有剩余的地址空间。</translation>
    </message>
    <message>
        <source>The load failed: the system is out of memory.</source>
        <translation>加载失败：系统不再提供内存。</translation>
    </message>
    <message>
        <source>The load failed: {reason}.</source>
        <translation>加载失败：{reason}。</translation>
    </message>
    <message>
        <source>The load finished, yet its process did not end well.</source>
        <translation>加载已完成，但其进程未正常结束。</translation>
    </message>
    <message>
        <source>The load was stopped.</source>
        <translation>加载已停止。</translation>
    </message>
    <message>
        <source>The load {clause}.</source>
        <translation>加载{clause}。</translation>
    </message>
    <message>
        <source>The loaded bytes differ from the file&apos;s.</source>
        <translation>交付的字节与文件的不同。</translation>
    </message>
    <message>
        <source>The machine is swapping now; a load makes it worse.</source>
        <translation>机器此刻正在使用交换空间；加载会让情况更糟。</translation>
    </message>
    <message>
        <source>The machine runs on battery, which may slow its processor and disk.</source>
        <translation>机器正使用电池供电，处理器和磁盘可能变慢。</translation>
    </message>
    <message>
        <source>The measurement was stopped.</source>
        <translation>磁盘测速已停止。</translation>
    </message>
    <message>
        <source>The median of {count} runs.</source>
        <translation>{count} 次运行的中位数。</translation>
    </message>
    <message>
        <source>The model at this path is another one than on most nodes.</source>
        <translation>此路径下的模型与多数节点上的不同。</translation>
    </message>
    <message>
        <source>The model doesn&apos;t fit in available memory.</source>
        <translation>可用内存放不下该模型。</translation>
    </message>
    <message>
        <source>The model doesn&apos;t fit in {usable} of memory, so it has no warm start.</source>
        <translation>模型放不进 {usable} 的内存，因此没有热启动。</translation>
    </message>
    <message>
        <source>The model doesn&apos;t fit in {usable} of memory, so no load ends with the whole model there.</source>
        <translation>模型放不进 {usable} 的内存，因此任何加载结束时都不会有整个模型在内存中。</translation>
    </message>
    <message>
        <source>The model fits, but a copy or a long context may not.</source>
        <translation>模型放得下，但余量很小：再要一份副本或很长的上下文可能就放不下了。</translation>
    </message>
    <message>
        <source>The model is in memory ({filesystem}), so direct I/O isn&apos;t possible.</source>
        <translation>模型位于内存中（{filesystem}），因此无法使用直接 I/O。</translation>
    </message>
    <message>
        <source>The model is in memory; waiting until {program} is ready</source>
        <translation>模型已在内存中；等待 {program} 就绪</translation>
    </message>
    <message>
        <source>The model is larger than free memory: stream it, since it can&apos;t stay there.</source>
        <translation>模型大于空闲内存：请流式读取，因为它无法留在内存中。</translation>
    </message>
    <message>
        <source>The model isn&apos;t on Mountpoint for S3.</source>
        <translation>模型不在 Mountpoint for S3 上。</translation>
    </message>
    <message>
        <source>The model isn&apos;t on NFS.</source>
        <translation>模型不在 NFS 上。</translation>
    </message>
    <message>
        <source>The model isn&apos;t on an rclone mount.</source>
        <translation>模型不在 rclone 挂载上。</translation>
    </message>
    <message>
        <source>The model isn&apos;t on gcsfuse.</source>
        <translation>模型不在 gcsfuse 上。</translation>
    </message>
    <message>
        <source>The model stays in the page cache for the next start. Not measured here.</source>
        <translation>模型会留在页缓存中供下次启动使用。未在此测量。</translation>
    </message>
    <message>
        <source>The model that the command names is opened first.</source>
        <translation>将先打开命令中指定的模型。</translation>
    </message>
    <message>
        <source>The model was changed or removed meanwhile.</source>
        <translation>期间模型被更改或删除。</translation>
    </message>
    <message>
        <source>The model was read in few samples: rely on totals, not on rates.</source>
        <translation>模型在很少的采样中就读完了：请以总数为准，而不是速率。</translation>
    </message>
    <message>
        <source>The model, disk, and machine must be the same as in the earlier runs.</source>
        <translation>模型、磁盘和机器必须与此前的运行相同。</translation>
    </message>
    <message>
        <source>The model, its storage, and your memory. Likely bottlenecks are named before the first load.</source>
        <translation>模型、其存储和您的内存。首次加载之前就会指出可能的瓶颈。</translation>
    </message>
    <message>
        <source>The most that all nodes get together from the storage they share.</source>
        <translation>所有节点从共享存储合计能得到的最大值。</translation>
    </message>
    <message>
        <source>The mount&apos;s requests are small, so each round trip brings little.</source>
        <translation>该挂载每次请求的数据很少，因此每次往返带来的也很少。</translation>
    </message>
    <message>
        <source>The newest runs and starred ones keep theirs.</source>
        <translation>只保留最新运行和已加星运行的事件。</translation>
    </message>
    <message>
        <source>The next start takes {other}, as long as the file stays in the page cache.</source>
        <translation>只要文件仍在页缓存中，下次启动需 {other}。</translation>
    </message>
    <message>
        <source>The node didn&apos;t answer in {seconds} s.</source>
        <translation>该节点在 {seconds} 秒内没有回答。</translation>
    </message>
    <message>
        <source>The node gave no sign for {seconds} s.</source>
        <translation>该节点已 {seconds} 秒没有动静。</translation>
    </message>
    <message>
        <source>The node ran out of memory, and Ray ended the load.</source>
        <translation>该节点内存耗尽，Ray 结束了加载。</translation>
    </message>
    <message>
        <source>The node sent no result.</source>
        <translation>该节点没有送回结果。</translation>
    </message>
    <message>
        <source>The node was lost.</source>
        <translation>该节点已丢失。</translation>
    </message>
    <message>
        <source>The node was lost: its process ended, or the machine left the cluster.</source>
        <translation>该节点已丢失：其进程已结束，或机器已离开集群。</translation>
    </message>
    <message>
        <source>The node&apos;s clock didn&apos;t answer.</source>
        <translation>该节点的时钟没有回答。</translation>
    </message>
    <message>
        <source>The overlay&apos;s layers aren&apos;t visible, as in a container, so the disk is unknown.</source>
        <translation>与在容器中一样，看不到 overlay 的各层，也看不到其下的磁盘。</translation>
    </message>
    <message>
        <source>The page cache was left unchanged.</source>
        <translation>页缓存保持不变。</translation>
    </message>
    <message>
        <source>The path of the model is empty.</source>
        <translation>模型路径为空。</translation>
    </message>
    <message>
        <source>The phases from start to ready. The longest one is where to begin.</source>
        <translation>从启动到就绪的各阶段。从最长的阶段入手。</translation>
    </message>
    <message>
        <source>The plots show a recorded run, not these results.</source>
        <translation>图表显示的是一次录制的运行，而不是这些结果。</translation>
    </message>
    <message>
        <source>The process stopped unexpectedly: {what}.</source>
        <translation>工作进程意外出错：{what}。</translation>
    </message>
    <message>
        <source>The process that started this loader has gone.</source>
        <translation>此加载进程的监管进程已不存在。</translation>
    </message>
    <message>
        <source>The process {how}.</source>
        <translation>工作进程{how}。</translation>
    </message>
    <message>
        <source>The processor got too hot during the load and slowed down.</source>
        <translation>加载期间处理器过热并被降速。</translation>
    </message>
    <message>
        <source>The processor is set to save power, so page faults and copies are slower.</source>
        <translation>处理器被设为省电模式，会拖慢缺页处理和内存复制。</translation>
    </message>
    <message>
        <source>The processor is too hot and slows down.</source>
        <translation>处理器过热，正在自行降速。</translation>
    </message>
    <message>
        <source>The program has {count} models: {models}.</source>
        <translation>该程序有 {count} 个模型：{models}。</translation>
    </message>
    <message>
        <source>The program that started this worker has gone.</source>
        <translation>已无人读取工作进程的事件。</translation>
    </message>
    <message>
        <source>The ranking so far is in the Find best tab.</source>
        <translation>目前的排名在“寻找最佳”选项卡中。</translation>
    </message>
    <message>
        <source>The reading was stopped.</source>
        <translation>读取已停止。</translation>
    </message>
    <message>
        <source>The recording breaks off before the load ended.</source>
        <translation>记录在加载结束前中断。</translation>
    </message>
    <message>
        <source>The recording is damaged from line {number} on.</source>
        <translation>记录从第 {number} 行起损坏。</translation>
    </message>
    <message>
        <source>The request to {program} failed.</source>
        <translation>对 {program} 的请求失败。</translation>
    </message>
    <message>
        <source>The result is clear. More time would hardly change it.</source>
        <translation>结果已明确。更多时间几乎不会改变它。</translation>
    </message>
    <message>
        <source>The run didn&apos;t finish.</source>
        <translation>运行没有结束。</translation>
    </message>
    <message>
        <source>The run didn&apos;t start as requested.</source>
        <translation>运行未按要求的状态开始。</translation>
    </message>
    <message>
        <source>The share of programs and libraries, such as copying and decoding.</source>
        <translation>其中用于程序和库的部分，例如复制和解码。</translation>
    </message>
    <message>
        <source>The share of the kernel, such as page faults and copying from the cache.</source>
        <translation>其中用于内核的部分，例如缺页和从缓存复制。</translation>
    </message>
    <message>
        <source>The sign that it has loaded: its time ends there.</source>
        <translation>表示已加载的标志：计时到此为止。</translation>
    </message>
    <message>
        <source>The simulated storage ended: its server, process {pid}, is gone.</source>
        <translation>模拟存储已结束:其服务进程 {pid} 已不存在。</translation>
    </message>
    <message>
        <source>The storage</source>
        <translation>存储</translation>
    </message>
    <message>
        <source>The storage hangs or is very slow. Check its mount.</source>
        <translation>存储挂起或非常慢：请检查其挂载。</translation>
    </message>
    <message>
        <source>The storage hangs or is very slow. Check its mount{terminal}.</source>
        <translation>存储卡住或非常慢。请检查其挂载{terminal}。</translation>
    </message>
    <message>
        <source>The storage hasn&apos;t answered for {seconds} s.</source>
        <translation>存储已有 {seconds} 秒没有应答。</translation>
    </message>
    <message>
        <source>The storage of {path} doesn&apos;t answer.</source>
        <translation>{path} 所在的存储没有应答。</translation>
    </message>
    <message>
        <source>The storage or the machine changed. All loads from run {run} on: {change}.</source>
        <translation>存储或机器发生了变化。自第 {run} 次运行起的所有加载：{change}。</translation>
    </message>
    <message>
        <source>The system refuses to evict files, as some containers do.</source>
        <translation>系统拒绝移出文件页，某些容器会这样。</translation>
    </message>
    <message>
        <source>The system starts no more processes for modelmon: {reason}.</source>
        <translation>系统不再为 modelmon 启动进程：{reason}。</translation>
    </message>
    <message>
        <source>The system starts no more threads for modelmon.</source>
        <translation>系统不再为 modelmon 启动线程。</translation>
    </message>
    <message>
        <source>The tensors are PyTorch&apos;s; with modelmon they are NumPy&apos;s.</source>
        <translation>张量是 PyTorch 的；使用 modelmon 时则是 NumPy 的。</translation>
    </message>
    <message>
        <source>The tested program</source>
        <translation>被测程序</translation>
    </message>
    <message>
        <source>The time limit was reached before the result was clear.</source>
        <translation>结果明确之前已达到时限。</translation>
    </message>
    <message>
        <source>The time of its reads is unknown.</source>
        <translation>不知道它何时读取模型。</translation>
    </message>
    <message>
        <source>The wait by phases</source>
        <translation>各阶段的等待时间</translation>
    </message>
    <message>
        <source>The whole model would take about {time}, extrapolated</source>
        <translation>整个模型约需 {time}（外推）</translation>
    </message>
    <message>
        <source>The whole wait, from start to ready, by phases. Begin with the longest one: the table names what the program did in it.</source>
        <translation>从启动到就绪的全部等待时间，按阶段划分。从最长的阶段入手：表格说明了程序当时在做什么。</translation>
    </message>
    <message>
        <source>The whole wait. The timeline divides it into phases.</source>
        <translation>全部等待时间。时间线将其划分为各阶段。</translation>
    </message>
    <message>
        <source>The worker could not be started: {reason}.</source>
        <translation>无法启动工作进程：{reason}。</translation>
    </message>
    <message>
        <source>The worker speaks protocol {protocol}, this program {ev_protocol}.</source>
        <translation>工作进程使用协议 {protocol}，此程序使用 {ev_protocol}。</translation>
    </message>
    <message>
        <source>The {done} of up to {total} pairs so far are saved as {reference}. Resume continues from there.</source>
        <translation>已完成的 {done} 个配对（最多 {total} 个）保存为 {reference}。点“继续”可接着进行。</translation>
    </message>
    <message>
        <source>The {done} of {total} pairs so far are saved as {reference}. Resume continues from there.</source>
        <translation>已完成的 {done} 个配对（共 {total} 个）保存为 {reference}。点“继续”可接着进行。</translation>
    </message>
    <message>
        <source>There are no names to choose tensors by.</source>
        <translation>没有用于选择张量的名称。</translation>
    </message>
    <message>
        <source>There are {count}, for example: {names}.</source>
        <translation>共有 {count} 个，例如：{names}。</translation>
    </message>
    <message>
        <source>There&apos;s no Python at {path}.</source>
        <translation>{path} 处没有 Python。</translation>
    </message>
    <message>
        <source>There&apos;s no cluster measurement c{id}.</source>
        <translation>没有集群测量 c{id}。</translation>
    </message>
    <message>
        <source>There&apos;s no command called {name} here.</source>
        <translation>这里没有名为 {name} 的命令。</translation>
    </message>
    <message>
        <source>There&apos;s no experiment x{experiment_id}.</source>
        <translation>没有实验 x{experiment_id}。</translation>
    </message>
    <message>
        <source>There&apos;s no export for {name}.</source>
        <translation>没有针对 {name} 的导出。</translation>
    </message>
    <message>
        <source>There&apos;s no library strategy called {name}.</source>
        <translation>没有名为 {name} 的库策略。</translation>
    </message>
    <message>
        <source>There&apos;s no process {pid}.</source>
        <translation>没有进程 {pid}。</translation>
    </message>
    <message>
        <source>There&apos;s no program preset called {name}.</source>
        <translation>没有名为 {name} 的程序预设。</translation>
    </message>
    <message>
        <source>There&apos;s no run or file called {name}.</source>
        <translation>没有名为 {name} 的运行或文件。</translation>
    </message>
    <message>
        <source>There&apos;s no run {reference}.</source>
        <translation>没有运行 {reference}。</translation>
    </message>
    <message>
        <source>There&apos;s no run {run_id} in the history.</source>
        <translation>历史中没有运行 {run_id}。</translation>
    </message>
    <message>
        <source>There&apos;s no setting called {axis}.</source>
        <translation>没有名为 {axis} 的轴。</translation>
    </message>
    <message>
        <source>There&apos;s no ssh here.</source>
        <translation>此处没有 ssh。</translation>
    </message>
    <message>
        <source>There&apos;s no strategy called {name}.</source>
        <translation>没有名为 {name} 的策略。</translation>
    </message>
    <message>
        <source>There&apos;s no {program} on the PATH: install llama.cpp, or give its path.</source>
        <translation>PATH 中没有 {program}：请安装 llama.cpp，或给出其路径。</translation>
    </message>
    <message>
        <source>These results are from earlier settings.</source>
        <translation>这些结果来自之前的设置。</translation>
    </message>
    <message>
        <source>These runs belong to another search.</source>
        <translation>这些运行属于另一次寻找最佳。</translation>
    </message>
    <message>
        <source>These runs can&apos;t show differences below {size}.</source>
        <translation>这些运行无法显示小于 {size} 的差异。</translation>
    </message>
    <message>
        <source>They loaded different amounts: {each}.</source>
        <translation>两者的加载量不同：{each}。</translation>
    </message>
    <message>
        <source>They were saved with the earlier runs. Run only what you know.</source>
        <translation>它们与先前的运行一起保存。请只运行您了解的命令。</translation>
    </message>
    <message>
        <source>This command wasn&apos;t typed in this window: it&apos;s shown before it&apos;s run.</source>
        <translation>此命令不是在此窗口中输入的：运行前会先显示。</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>This container used up its CPU quota and was throttled.</source>
        <translation>此容器的 CPU 时间已用完，因而被限制。</translation>
    </message>
    <message>
        <source>This folder has no config.json that names a class of diffusers.</source>
        <translation>此文件夹没有写明 diffusers 类的 config.json。</translation>
    </message>
    <message>
        <source>This is a warm start; a cold start takes {other}.</source>
        <translation>这是热启动；冷启动需 {other}。</translation>
    </message>
    <message>
        <source>This isn&apos;t Linux on Windows (WSL).</source>
        <translation>这不是 Windows 上的 Linux（WSL）。</translation>
    </message>
    <message>
        <source>This model</source>
        <translation>本模型</translation>
    </message>
    <message>
        <source>This model&apos;s storage has no disk counters.</source>
        <translation>此模型所在的存储没有磁盘计数器。</translation>
    </message>
    <message>
        <source>This program may make at most {count} reads per second from this disk: a limit of its control group, {where}.</source>
        <translation>本程序每秒最多可从此磁盘读取 {count} 次：这是其控制组的限制，{where}。</translation>
    </message>
    <message>
        <source>This program may read at most {rate} from this disk: a limit of its control group, {where}.</source>
        <translation>本程序最多可以 {rate} 的速率从此磁盘读取：这是其控制组的限制，{where}。</translation>
    </message>
    <message>
        <source>This run belongs to no comparison or Find best.</source>
        <translation>此运行不属于任何对比或寻找最佳。</translation>
    </message>
    <message>
        <source>This run didn&apos;t finish.</source>
        <translation>这次运行没有完成。</translation>
    </message>
    <message>
        <source>This run had too many requests for the history to keep each of them.</source>
        <translation>这次运行的请求太多，历史记录无法逐个保存。</translation>
    </message>
    <message>
        <source>This run isn&apos;t in the history.</source>
        <translation>历史中没有此运行。</translation>
    </message>
    <message>
        <source>This run loaded different files from the open ones.</source>
        <translation>此运行加载的文件与当前打开的不同。</translation>
    </message>
    <message>
        <source>This run&apos;s recording was deleted.</source>
        <translation>此运行的记录已被删除。</translation>
    </message>
    <message>
        <source>This system can&apos;t evict a single file from its cache.</source>
        <translation>此系统没有把单个文件移出缓存的调用。</translation>
    </message>
    <message>
        <source>This system has no direct I/O</source>
        <translation>此系统不支持绕过文件缓存的读取</translation>
    </message>
    <message>
        <source>This user has no home folder.</source>
        <translation>此用户没有主目录。</translation>
    </message>
    <message>
        <source>This version knows: {axes}.</source>
        <translation>此版本支持：{axes}。</translation>
    </message>
    <message>
        <source>This version of modelmon can&apos;t resume these runs.</source>
        <translation>此版本的 modelmon 无法继续这些运行。</translation>
    </message>
    <message>
        <source>This window</source>
        <translation>此窗口</translation>
    </message>
    <message>
        <source>This {title} ({version}) has no variant {name}.</source>
        <translation>此 {title}（{version}）没有变体 {name}。</translation>
    </message>
    <message>
        <source>Threads load several files at once, never parts of one. Together with a load strategy other than lazy it&apos;s refused (vllm-project/vllm#45196).</source>
        <translation>线程同时加载多个文件，而不会分头加载同一个文件。与 lazy 以外的加载策略一起使用会被拒绝（vllm-project/vllm#45196）。</translation>
    </message>
    <message>
        <source>Threads load several files at once, never parts of one; newer versions do by default (sgl-project/sglang#20289).</source>
        <translation>线程同时加载多个文件，绝不会加载同一文件的各部分；较新的版本默认如此（sgl-project/sglang#20289）。</translation>
    </message>
    <message>
        <source>Threads load to the GPU, ahead of what is taken.</source>
        <translation>多个线程提前加载到 GPU。</translation>
    </message>
    <message>
        <source>Threads or processes that share the work</source>
        <translation>分担工作的线程或进程</translation>
    </message>
    <message>
        <source>Threads read each file whole. Made for GPUs.</source>
        <translation>线程整文件读取。为 GPU 而设计。</translation>
    </message>
    <message>
        <source>Threads stream tensors. Best on fast disks, cold.</source>
        <translation>线程流式读取张量。快速磁盘冷启动时最佳。</translation>
    </message>
    <message>
        <source>Threads that wait leave the processors to others: answers lose some speed.</source>
        <translation>等待的线程让出处理器：回答会慢一些。</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>吞吐量</translation>
    </message>
    <message>
        <source>Throughput, at most {rate}</source>
        <translation>吞吐量，最高 {rate}</translation>
    </message>
    <message>
        <source>Tight</source>
        <translation>紧张</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>用时</translation>
    </message>
    <message>
        <source>Time between nodes of {arm}</source>
        <translation>{arm} 的节点间隔时间</translation>
    </message>
    <message>
        <source>Time for the whole model with nothing cached</source>
        <translation>没有任何缓存时加载整个模型的时间</translation>
    </message>
    <message>
        <source>Time for the whole model with the file in the page cache</source>
        <translation>文件在页缓存中时加载整个模型的时间</translation>
    </message>
    <message>
        <source>Time limit</source>
        <translation>时限</translation>
    </message>
    <message>
        <source>Time limit of a run</source>
        <translation>单次运行的时间上限</translation>
    </message>
    <message>
        <source>Time limit reached</source>
        <translation>已到时间上限</translation>
    </message>
    <message>
        <source>Time limit: {time}</source>
        <translation>时限：{time}</translation>
    </message>
    <message>
        <source>Time of each load</source>
        <translation>每次加载的时间</translation>
    </message>
    <message>
        <source>Time of each run that counts</source>
        <translation>每次计入的运行的时间</translation>
    </message>
    <message>
        <source>Time spent converting the block to floats. The rest is reading or waiting.</source>
        <translation>把该块转换为浮点数的时间。其余为读取或等待。</translation>
    </message>
    <message>
        <source>Time to read the model</source>
        <translation>读取模型的时间</translation>
    </message>
    <message>
        <source>Time to read the model: {times}.</source>
        <translation>读取模型用时：{times}。</translation>
    </message>
    <message>
        <source>Time until ready</source>
        <translation>就绪所需时间</translation>
    </message>
    <message>
        <source>Time until ready: {times}.</source>
        <translation>就绪用时：{times}。</translation>
    </message>
    <message>
        <source>Timed</source>
        <translation>计时</translation>
    </message>
    <message>
        <source>Timed differently</source>
        <translation>计时方式不同</translation>
    </message>
    <message>
        <source>Timed from the first to the last byte of the model.</source>
        <translation>计时从模型的第一个字节到最后一个字节。</translation>
    </message>
    <message>
        <source>Timed from the start until ready.</source>
        <translation>计时从启动到就绪。</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Timeline: {parts}</source>
        <translation>时间线：{parts}</translation>
    </message>
    <message>
        <source>Times are estimates from all rounds; ranges are right in {share} of cases.</source>
        <translation>时间由所有轮次估算得出；给出的范围在 {share} 的情况下正确。</translation>
    </message>
    <message>
        <source>Times of all runs</source>
        <translation>所有运行的时间</translation>
    </message>
    <message>
        <source>Times one</source>
        <translation>为单节点的倍数</translation>
    </message>
    <message>
        <source>To measure just one of them once, use Run A or Run B.</source>
        <translation>若只测量其中一个一次，请使用“运行 A”或“运行 B”。</translation>
    </message>
    <message>
        <source>To measure, run again without checksums{terminal}.</source>
        <translation>要测量，请重新运行，不计算校验和{terminal}。</translation>
    </message>
    <message>
        <source>To restore, use Undo (Ctrl+Z) before you delete other runs or close this window.</source>
        <translation>如需恢复，请在删除其他运行或关闭此窗口之前使用“撤销”（Ctrl+Z）。</translation>
    </message>
    <message>
        <source>To see which functions take the time, sample what it does{terminal}.</source>
        <translation>要查看时间花在哪些函数上，请采样其活动{terminal}。</translation>
    </message>
    <message>
        <source>To start from the page cache: modelmon warm MODEL, before the program.</source>
        <translation>要从页缓存启动:在程序之前运行 modelmon warm MODEL。</translation>
    </message>
    <message>
        <source>Together (× one)</source>
        <translation>合计（相对单节点）</translation>
    </message>
    <message>
        <source>Too early to tell</source>
        <translation>为时尚早</translation>
    </message>
    <message>
        <source>Too early to tell: keep {label} for now</source>
        <translation>为时尚早：暂时保留 {label}</translation>
    </message>
    <message>
        <source>Too early to tell: {label} leads so far</source>
        <translation>为时尚早：目前 {label} 领先</translation>
    </message>
    <message>
        <source>Too early to tell: {loads}, measured on fewer than {days} days.</source>
        <translation>为时尚早：{loads}，测量不足 {days} 天。</translation>
    </message>
    <message>
        <source>Too few to rank them. Choose a longer time limit.</source>
        <translation>次数太少，无法排名。请选择更长的时限。</translation>
    </message>
    <message>
        <source>Too little free memory to measure it.</source>
        <translation>空闲内存太少，无法测量。</translation>
    </message>
    <message>
        <source>Too little was read for a rate.</source>
        <translation>读取的数据太少，无法得出速率。</translation>
    </message>
    <message>
        <source>Toolbar</source>
        <translation>工具栏</translation>
    </message>
    <message>
        <source>Top speed</source>
        <translation>最高速度</translation>
    </message>
    <message>
        <source>Touch every value before you stop the clock, as modelmon run does.</source>
        <translation>停表前触及每个值,modelmon run 就是这样做的。</translation>
    </message>
    <message>
        <source>Touched, get_slice takes {slices}, get_tensor {tensors}; the disk&apos;s limit is {limit}.</source>
        <translation>触及后,get_slice 用时 {slices},get_tensor 用时 {tensors};磁盘的极限是 {limit}。</translation>
    </message>
    <message>
        <source>Tour</source>
        <translation>导览</translation>
    </message>
    <message>
        <source>Traced by the kernel: each page and each direct read, with its time.</source>
        <translation>由内核跟踪：每个页面和每次直接读取及其时间。</translation>
    </message>
    <message>
        <source>Transparent huge pages are off: new memory costs a page fault every 4 KiB.</source>
        <translation>透明大页已关闭，因此新内存每 4 KiB 就有一次缺页。</translation>
    </message>
    <message>
        <source>Trust a cold run only if all its bytes came from disk.</source>
        <translation>只有全部字节都来自磁盘时，才可信任一次冷启动。</translation>
    </message>
    <message>
        <source>Try a sample model</source>
        <translation>试试示例模型</translation>
    </message>
    <message>
        <source>Try again when it&apos;s done.</source>
        <translation>请在它完成后重试。</translation>
    </message>
    <message>
        <source>Try again.</source>
        <translation>请重试。</translation>
    </message>
    <message>
        <source>Try {changes}.</source>
        <translation>请尝试 {changes}。</translation>
    </message>
    <message>
        <source>Trying again.</source>
        <translation>正在重试。</translation>
    </message>
    <message>
        <source>Tunes no kernels ahead: ready sooner, but the first answers take longer.</source>
        <translation>不预先调优内核：更快就绪，但最初几次回答更慢。</translation>
    </message>
    <message>
        <source>Two commands are the same: {command}.</source>
        <translation>有两个命令相同：{command}。</translation>
    </message>
    <message>
        <source>Two files have the same path.</source>
        <translation>两个文件的位置相同。</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Type a command or a key</source>
        <translation>输入命令或按键</translation>
    </message>
    <message>
        <source>Type the command that loads the model.</source>
        <translation>请输入加载模型的命令。</translation>
    </message>
    <message>
        <source>Types by bytes</source>
        <translation>各类型所占字节</translation>
    </message>
    <message>
        <source>Types, sizes, and all tensors in a larger view</source>
        <translation>在大窗口中查看类型、大小和全部张量</translation>
    </message>
    <message>
        <source>Typical value, not measured here</source>
        <translation>典型值，未在此测量</translation>
    </message>
    <message>
        <source>Typical values of such storage: measure the disk to be sure.</source>
        <translation>此类存储的典型值：如需确认，请进行磁盘测速。</translation>
    </message>
    <message>
        <source>USB bridges often do not pass on what the disk says</source>
        <translation>USB 桥接器往往不会转达磁盘的说法</translation>
    </message>
    <message>
        <source>Understand it, and show others</source>
        <translation>看懂它，并分享给他人</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Undo delete</source>
        <translation>撤销删除</translation>
    </message>
    <message>
        <source>Undo: restore the deleted run</source>
        <translation>撤销：恢复被删除的运行</translation>
    </message>
    <message>
        <source>Undo: restore {count} deleted runs</source>
        <translation>撤销：恢复被删除的 {count} 次运行</translation>
    </message>
    <message>
        <source>Units</source>
        <translation>单位</translation>
    </message>
    <message>
        <source>Unknown command {line}.</source>
        <translation>未知命令 {line}。</translation>
    </message>
    <message>
        <source>Unknown fault {text}.</source>
        <translation>未知故障 {text}。</translation>
    </message>
    <message>
        <source>Unknown setting {unknown} in the load configuration.</source>
        <translation>加载配置中有未知的轴 {unknown}。</translation>
    </message>
    <message>
        <source>Unknown start mode: {text}.</source>
        <translation>未知的启动方式：{text}。</translation>
    </message>
    <message>
        <source>Unknown.</source>
        <translation>未知。</translation>
    </message>
    <message>
        <source>Unknown: {reason}.</source>
        <translation>未知：{reason}。</translation>
    </message>
    <message>
        <source>Unpack it in its folder: {command}</source>
        <translation>请在其文件夹中解压：{command}</translation>
    </message>
    <message>
        <source>Unpack it, then open the model in it.</source>
        <translation>请先解压，再打开其中的模型。</translation>
    </message>
    <message>
        <source>Unreadable</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>Unsupported shell {name}.</source>
        <translation>不支持的 shell：{name}。</translation>
    </message>
    <message>
        <source>Until restart</source>
        <translation>重启前有效</translation>
    </message>
    <message>
        <source>Untouched get_slice isn&apos;t a load: {share} of the bytes were read</source>
        <translation>未触及的 get_slice 不是加载:只读了 {share} 的字节</translation>
    </message>
    <message>
        <source>Untouched loads end before their bytes are in memory, so their times can&apos;t be compared.</source>
        <translation>不触碰数据的加载（untouched）在数据进入内存之前就已结束：其时间无法对比。</translation>
    </message>
    <message>
        <source>Untouched: the clock stops when the calls return. Touched: when all is read.</source>
        <translation>未触及:调用返回即停表。已触及:全部读完才停表。</translation>
    </message>
    <message>
        <source>Up to {around} more came from storage, so these may be too long.</source>
        <translation>从存储多读了最多 {around}，因此这些时间可能偏长。</translation>
    </message>
    <message>
        <source>Up to {count} runs, alternating A and B, each in a new process.</source>
        <translation>最多 {count} 次运行，A 与 B 交替，每次使用新进程。</translation>
    </message>
    <message>
        <source>Up to {time} left</source>
        <translation>最多还剩 {time}</translation>
    </message>
    <message>
        <source>Use a USB 3 port and cable.</source>
        <translation>请使用 USB 3 接口和线缆。</translation>
    </message>
    <message>
        <source>Use a descriptor per reader (parallel, processes); don&apos;t share one (shared-fd).</source>
        <translation>让每个读取器自己打开文件（parallel、processes），绝不要共用一个描述符（shared-fd）。</translation>
    </message>
    <message>
        <source>Use a faster slot, if there is one.</source>
        <translation>若有更快的插槽，换上去可以提高上限。</translation>
    </message>
    <message>
        <source>Use as A</source>
        <translation>用作 A</translation>
    </message>
    <message>
        <source>Use as B</source>
        <translation>用作 B</translation>
    </message>
    <message>
        <source>Use as {arm}</source>
        <translation>用作 {arm}</translation>
    </message>
    <message>
        <source>Use at most {value} readers, or raise the limit.</source>
        <translation>最多使用 {value} 个读取器，或提高限制。</translation>
    </message>
    <message>
        <source>Use get_slice to read a part of a tensor, not to load all of it faster.</source>
        <translation>get_slice 用来读取张量的一部分,而不是更快地读取全部。</translation>
    </message>
    <message>
        <source>Use mmap, or keep a process running: copying into new memory is slow.</source>
        <translation>请使用 mmap，或让进程保持运行：复制到新内存很慢。</translation>
    </message>
    <message>
        <source>Use sequential: one reader, front to back.</source>
        <translation>请使用 sequential：用一个读取器从头到尾读取。</translation>
    </message>
    <message>
        <source>Use stream_model.</source>
        <translation>请使用 stream_model。</translation>
    </message>
    <message>
        <source>Use the model in another type; modelmon doctor --decode shows how fast each decodes.</source>
        <translation>请使用其他类型的模型；modelmon doctor --decode 会显示每种类型的解码速度。</translation>
    </message>
    <message>
        <source>Use the newer version, or keep another history with MODELMON_DATA_DIR.</source>
        <translation>请使用较新的版本，或用 MODELMON_DATA_DIR 另存一份历史。</translation>
    </message>
    <message>
        <source>Use the version of modelmon that wrote it.</source>
        <translation>请使用写入它的 modelmon 版本。</translation>
    </message>
    <message>
        <source>Use {b}: just as fast as {a}, and simpler</source>
        <translation>使用 {b}：与 {a} 一样快，而且更简单</translation>
    </message>
    <message>
        <source>Use {label} for now: fastest so far, {time}</source>
        <translation>暂时使用 {label}：目前最快，{time}</translation>
    </message>
    <message>
        <source>Use {label}: as fast as any, {time}</source>
        <translation>使用 {label}：不比任何其他的慢，{time}</translation>
    </message>
    <message>
        <source>Use {label}: fastest cold start, {time}</source>
        <translation>使用 {label}：冷启动最快，{time}</translation>
    </message>
    <message>
        <source>Use {label}: fastest warm start, {time}</source>
        <translation>使用 {label}：热启动最快，{time}</translation>
    </message>
    <message>
        <source>Use {label}: lowest memory within {share} of the fastest, {held}, {time} from a cold start</source>
        <translation>使用 {label}：比最快者慢不超过 {share} 的策略中内存最少（{held}），冷启动 {time}</translation>
    </message>
    <message>
        <source>Use {label}: lowest memory within {share} of the fastest, {held}, {time} from a warm start</source>
        <translation>使用 {label}：比最快者慢不超过 {share} 的策略中内存最少（{held}），热启动 {time}</translation>
    </message>
    <message>
        <source>Use {label}: {change}</source>
        <translation>使用 {label}：{change}</translation>
    </message>
    <message>
        <source>Use {strategy}</source>
        <translation>使用 {strategy}</translation>
    </message>
    <message>
        <source>Use {way} as B, to compare it with A</source>
        <translation>将 {way} 用作 B，以便与 A 对比</translation>
    </message>
    <message>
        <source>Used by</source>
        <translation>使用者</translation>
    </message>
    <message>
        <source>Utilization</source>
        <translation>利用率</translation>
    </message>
    <message>
        <source>Values along each dimension.</source>
        <translation>每个维度上的值的个数。</translation>
    </message>
    <message>
        <source>Verifying bytes</source>
        <translation>正在校验数据</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Version {number}</source>
        <translation>版本 {number}</translation>
    </message>
    <message>
        <source>Version {version}</source>
        <translation>版本 {version}</translation>
    </message>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Views of the runs</source>
        <translation>运行的各种视图</translation>
    </message>
    <message>
        <source>Virtual machine</source>
        <translation>虚拟机</translation>
    </message>
    <message>
        <source>WSL has memory enough for this model.</source>
        <translation>WSL 的内存足够放下此模型。</translation>
    </message>
    <message>
        <source>Wait</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>Wait until it is complete, then open it again.</source>
        <translation>请等它完成后再打开。</translation>
    </message>
    <message>
        <source>Wait until it&apos;s done, then run again.</source>
        <translation>请等它完成，然后重新运行。</translation>
    </message>
    <message>
        <source>Wait until the current task is done.</source>
        <translation>请等待当前任务完成。</translation>
    </message>
    <message>
        <source>Wait until the disk is idle, then measure it again{terminal}.</source>
        <translation>等到磁盘空闲，然后重新测量{terminal}。</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>Waiting for a slot on each node, then reading the headers there</source>
        <translation>正在等待每个节点上的空位，然后在那里读取文件头</translation>
    </message>
    <message>
        <source>Warm</source>
        <translation>热启动</translation>
    </message>
    <message>
        <source>Warm
start</source>
        <translation>热
启动</translation>
    </message>
    <message>
        <source>Warm loads don&apos;t read the disk: check memory, processors, and other programs.</source>
        <translation>热加载不读磁盘：请检查内存、处理器和其他程序。</translation>
    </message>
    <message>
        <source>Warm start</source>
        <translation>热启动</translation>
    </message>
    <message>
        <source>Warm start not measured</source>
        <translation>未测量热启动</translation>
    </message>
    <message>
        <source>Warm start: {share} of the file was cached</source>
        <translation>热启动：文件的 {share} 已缓存</translation>
    </message>
    <message>
        <source>Warm starts are faster with {label}: {time} instead of {mine}.</source>
        <translation>热启动用 {label} 更快：{time}，而不是 {mine}。</translation>
    </message>
    <message>
        <source>Warm starts couldn&apos;t be verified.</source>
        <translation>无法核实是否为热启动。</translation>
    </message>
    <message>
        <source>Warm-up</source>
        <translation>预热</translation>
    </message>
    <message>
        <source>Warm-up {warmup} needs Linux.</source>
        <translation>预热 {warmup} 是 Linux 的调用。</translation>
    </message>
    <message>
        <source>Warming can&apos;t help here: opening a file on this mount drops its cached pages. Keep the cache on this mount (sshfs: -o kernel_cache), or copy the model to a disk.</source>
        <translation>在这里预热没有帮助：在此挂载点打开文件会丢弃该文件的缓存页。请以保留缓存的方式挂载（sshfs：-o kernel_cache），或把模型复制到磁盘。</translation>
    </message>
    <message>
        <source>Warming up</source>
        <translation>正在预热</translation>
    </message>
    <message>
        <source>Warming {size}.</source>
        <translation>正在预热 {size}。</translation>
    </message>
    <message>
        <source>Was cached</source>
        <translation>启动前已缓存</translation>
    </message>
    <message>
        <source>Watch a program</source>
        <translation>观察程序</translation>
    </message>
    <message>
        <source>Watch a program to see where and when it reads.</source>
        <translation>观察一个程序，即可看到它在何时读取何处。</translation>
    </message>
    <message>
        <source>Watch again</source>
        <translation>再次观察</translation>
    </message>
    <message>
        <source>Watch again…</source>
        <translation>再次观察…</translation>
    </message>
    <message>
        <source>Watch another program load this model, and see what slows it down</source>
        <translation>观察其他程序加载此模型，查看是什么拖慢了它</translation>
    </message>
    <message>
        <source>Watch another program…</source>
        <translation>观察其他程序…</translation>
    </message>
    <message>
        <source>Watch anyway</source>
        <translation>仍然观察</translation>
    </message>
    <message>
        <source>Watch it as that user or as root.</source>
        <translation>请以该用户或 root 身份观察它。</translation>
    </message>
    <message>
        <source>Watch it instead: modelmon watch MODEL --program NAME.</source>
        <translation>请改为观察它：modelmon watch MODEL --program NAME。</translation>
    </message>
    <message>
        <source>Watch it until it answers: --ready http:PORT/PATH.</source>
        <translation>观察到它应答为止：--ready http:PORT/PATH。</translation>
    </message>
    <message>
        <source>Watch it with modelmon watch --seen-by trace.</source>
        <translation>请用 modelmon watch --seen-by trace 观察。</translation>
    </message>
    <message>
        <source>Watch one start: see what it waits for, and which settings shorten the wait.</source>
        <translation>观察一次启动：看它在等什么，以及哪些设置能缩短等待。</translation>
    </message>
    <message>
        <source>Watch the GETs. A read that doesn&apos;t continue the last one needs a new GET.</source>
        <translation>注意 GET 数:不接续上一次的读取需要新的 GET。</translation>
    </message>
    <message>
        <source>Watch the runs of A and B again</source>
        <translation>重新观看 A 和 B 的运行过程</translation>
    </message>
    <message>
        <source>Watch your own program</source>
        <translation>观察您自己的程序</translation>
    </message>
    <message>
        <source>Watch {program}</source>
        <translation>观察 {program}</translation>
    </message>
    <message>
        <source>Watched program</source>
        <translation>被观察的程序</translation>
    </message>
    <message>
        <source>Watched program: details</source>
        <translation>被观察的程序：详情</translation>
    </message>
    <message>
        <source>Watching needs Linux 5.3 or newer: {reason}.</source>
        <translation>监测程序需要 Linux 5.3 或更新的内核：{reason}。</translation>
    </message>
    <message>
        <source>Watch…</source>
        <translation>观察…</translation>
    </message>
    <message>
        <source>Waterfall</source>
        <translation>瀑布图</translation>
    </message>
    <message>
        <source>Way</source>
        <translation>方式</translation>
    </message>
    <message>
        <source>Ways to load</source>
        <translation>加载方式</translation>
    </message>
    <message>
        <source>Web page (*.html)</source>
        <translation>网页 (*.html)</translation>
    </message>
    <message>
        <source>Weights stay on the disk until they&apos;re needed.</source>
        <translation>权重在用到之前留在磁盘上。</translation>
    </message>
    <message>
        <source>What LM Studio calls a model doesn&apos;t follow from its file, so modelmon doesn&apos;t ask it to load.</source>
        <translation>LM Studio 对模型的称呼无法由其文件得知，因此 modelmon 不请求它加载。</translation>
    </message>
    <message>
        <source>What a program prints that was started elsewhere can&apos;t be read.</source>
        <translation>无法读取在别处启动的程序所打印的内容。</translation>
    </message>
    <message>
        <source>What a run usually takes, from all runs that count. Lower is better.</source>
        <translation>由所有计入的运行估算的通常用时。越低越好。</translation>
    </message>
    <message>
        <source>What all nodes read together, by how many load at once. On the dotted line none slows another down. Where the curve flattens, they share a limit.</source>
        <translation>不同数量的节点同时加载时，合计读取多少。在虚线上时互不影响。曲线变平处，它们共享一个上限。</translation>
    </message>
    <message>
        <source>What all nodes read together, per second, and how many times that is what one gets alone.</source>
        <translation>所有节点合计每秒读取的数据量，以及它是单个节点的多少倍。</translation>
    </message>
    <message>
        <source>What am I looking at?</source>
        <translation>这是什么？</translation>
    </message>
    <message>
        <source>What changed</source>
        <translation>发生了什么变化</translation>
    </message>
    <message>
        <source>What changed…</source>
        <translation>与以往对比…</translation>
    </message>
    <message>
        <source>What is cached is {source}. Direct I/O works, but reads again what is cached</source>
        <translation>已缓存多少{source}。直接 I/O 可用，但会重新读取已缓存的内容</translation>
    </message>
    <message>
        <source>What is cached was copied: a map would end the program if the mount goes away.</source>
        <translation>已缓存的内容被复制：若挂载消失，映射会使程序终止。</translation>
    </message>
    <message>
        <source>What it did, and what shortens it</source>
        <translation>做了什么，如何缩短</translation>
    </message>
    <message>
        <source>What most runtimes do. Leaves the file cached.</source>
        <translation>多数运行时的做法。加载后文件留在缓存中。</translation>
    </message>
    <message>
        <source>What other programs did on the disk just before the run. Less is better.</source>
        <translation>运行前一刻其他程序在磁盘上的活动。越少越好。</translation>
    </message>
    <message>
        <source>What takes the largest part of the time, and the figures that show it.</source>
        <translation>占用时间最多的部分，以及表明这一点的数据。</translation>
    </message>
    <message>
        <source>What the disk did, for all programs together. More than the load read: others use the disk, or bytes are read twice.</source>
        <translation>磁盘为所有程序所做的工作。多于加载所读：其他程序在使用磁盘，或字节被读了两次。</translation>
    </message>
    <message>
        <source>What the node sent can&apos;t be read: {reason}</source>
        <translation>无法读取该节点发来的内容：{reason}</translation>
    </message>
    <message>
        <source>What the program does by default.</source>
        <translation>程序的默认做法。</translation>
    </message>
    <message>
        <source>What the program prints appears here.</source>
        <translation>程序打印的内容会显示在这里。</translation>
    </message>
    <message>
        <source>What the program was busy with: disk, processors, locks or network. Then the setting to try, its price, and what it brought here.</source>
        <translation>程序忙于什么：磁盘、处理器、锁或网络。然后是可尝试的设置、代价，以及在此处的效果。</translation>
    </message>
    <message>
        <source>What to do</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>What was cached at the start is {source}.</source>
        <translation>启动时的缓存状态：{source}。</translation>
    </message>
    <message>
        <source>What was tested is a strategy of modelmon, not a program.</source>
        <translation>测试的是 modelmon 的策略，而不是程序。</translation>
    </message>
    <message>
        <source>What {program} (process {pid}) reads can&apos;t be seen: the system forbids it.</source>
        <translation>看不到 {program}（进程 {pid}）读取的内容：系统不允许。</translation>
    </message>
    <message>
        <source>What {server} says about {path} can&apos;t be right.</source>
        <translation>{server} 对 {path} 的说法不可能正确。</translation>
    </message>
    <message>
        <source>Wheel</source>
        <translation>滚轮</translation>
    </message>
    <message>
        <source>When</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>When all bytes of a block are in memory. Earlier is better.</source>
        <translation>某块的所有字节都在内存中的时刻。越早越好。</translation>
    </message>
    <message>
        <source>When all nodes had the model. Lower is better.</source>
        <translation>所有节点何时拥有模型。越低越好。</translation>
    </message>
    <message>
        <source>When bytes of a block arrived, by the times of the load&apos;s own requests.</source>
        <translation>某块的字节何时到达，依据加载自身各请求的时间。</translation>
    </message>
    <message>
        <source>When each block was read</source>
        <translation>各块的读取时间</translation>
    </message>
    <message>
        <source>When half of the nodes had the model. Lower is better.</source>
        <translation>一半节点何时拥有模型。越低越好。</translation>
    </message>
    <message>
        <source>When its first byte was asked for, after the start.</source>
        <translation>开始后多久请求了第一个字节。</translation>
    </message>
    <message>
        <source>When its last byte was in memory, after the start. Earlier is better.</source>
        <translation>开始后多久最后一个字节到达内存。越早越好。</translation>
    </message>
    <message>
        <source>When private memory gets huge pages. With never, loads have more page faults.</source>
        <translation>私有内存何时使用大页。设为 never 时，加载会有更多缺页。</translation>
    </message>
    <message>
        <source>When the first node had the model. Lower is better.</source>
        <translation>第一个节点何时拥有模型。越低越好。</translation>
    </message>
    <message>
        <source>When the node had the model, after the start. Lower is better.</source>
        <translation>开始后多久该节点拥有了模型。越低越好。</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Where in the file the load read, and when: time to the right, place in the file upward. A diagonal is reading in order. Scattered points are jumps, slow on hard disks and object stores.</source>
        <translation>加载在何时读取了文件的何处：向右为时间，向上为文件中的位置。斜线表示按顺序读取。散点是跳跃，在硬盘和对象存储上很慢。</translation>
    </message>
    <message>
        <source>Where the model is: the system can drop mapped pages, not private memory.</source>
        <translation>模型所在之处：系统可以丢弃映射页，不能丢弃私有内存。</translation>
    </message>
    <message>
        <source>Where the program runs. All times are by that machine&apos;s clock.</source>
        <translation>程序运行之处。所有时间均以那台机器的时钟为准。</translation>
    </message>
    <message>
        <source>Where touched get_tensor&apos;s time goes: {spent}.</source>
        <translation>已触及的 get_tensor 的时间分布：{spent}。</translation>
    </message>
    <message>
        <source>Whether each rank loads the whole model or its tensor-parallel slice</source>
        <translation>每个秩加载整个模型，还是只加载自己的张量并行切片</translation>
    </message>
    <message>
        <source>Whether it fits in {size}</source>
        <translation>{size} 内存是否放得下</translation>
    </message>
    <message>
        <source>Whether it stays cached is {source}.</source>
        <translation>是否留在缓存中：{source}。</translation>
    </message>
    <message>
        <source>Whether private memory uses 2 MiB pages, which cost fewer page faults</source>
        <translation>私有内存是否使用 2 MiB 的页，这样缺页次数较少</translation>
    </message>
    <message>
        <source>Whether readers are threads of one process or separate processes</source>
        <translation>读取器是同一进程的线程，还是独立的进程</translation>
    </message>
    <message>
        <source>Which blocks it read is unknown.</source>
        <translation>未观察到它读取了哪些块。</translation>
    </message>
    <message>
        <source>Which blocks take the time of the load. The bars of one load add up to it. Equal bars are normal; one that stands out was read in small pieces, or disturbed.</source>
        <translation>加载时间花在哪些块上。一次加载的所有条之和即为其时间。条长相近属正常；突出的块是以小块读取的，或受到了干扰。</translation>
    </message>
    <message>
        <source>Which model the program loads can&apos;t be seen.</source>
        <translation>无法看出该程序加载哪个模型。</translation>
    </message>
    <message>
        <source>Which parts of the files are in memory, along their length. Empty before a load: a cold start. After a load it&apos;s what the next start finds.</source>
        <translation>文件的哪些部分在内存中，沿其长度显示。加载前为空：冷启动。加载后显示的是下次启动时的状态。</translation>
    </message>
    <message>
        <source>Which program loads your model?</source>
        <translation>您用哪个程序加载模型？</translation>
    </message>
    <message>
        <source>While reading, it {clause}.</source>
        <translation>读取期间，它{clause}。</translation>
    </message>
    <message>
        <source>While this was measured, {who}.</source>
        <translation>测量期间，{who}。</translation>
    </message>
    <message>
        <source>Who will load the model?</source>
        <translation>由谁加载模型？</translation>
    </message>
    <message>
        <source>Whole load</source>
        <translation>整次加载</translation>
    </message>
    <message>
        <source>Whole load, not the range</source>
        <translation>整次加载，而非该范围</translation>
    </message>
    <message>
        <source>Whole model</source>
        <translation>整个模型</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Why it lags behind the others, as far as that is known.</source>
        <translation>落后于其他节点的原因（如已知）。</translation>
    </message>
    <message>
        <source>Why not counted</source>
        <translation>未计入的原因</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>Windows can&apos;t share one open file between readers.</source>
        <translation>Windows 不能把一个打开的文件交给多个读取器。</translation>
    </message>
    <message>
        <source>Windows doesn&apos;t report what is cached</source>
        <translation>Windows 不报告缓存了什么</translation>
    </message>
    <message>
        <source>With --lazy-mode on, the default above 4 GiB, {table} ({size}) is mapped in every load mode and read on demand. Here it was read whole.</source>
        <translation>开启 --lazy-mode 时（4 GiB 以上的默认值），{table}（{size}）在任何加载模式下都会被映射并按需读取。这里它被完整读取。</translation>
    </message>
    <message>
        <source>With modelmon</source>
        <translation>使用 modelmon</translation>
    </message>
    <message>
        <source>With more nodes than were measured.</source>
        <translation>节点数超出实测范围。</translation>
    </message>
    <message>
        <source>With the model in the page cache the fastest start took {warm} instead of {cold}. Filling the cache takes about as long as a cold start. Other programs weren&apos;t measured.</source>
        <translation>模型已在页缓存中时，最快的启动用时 {warm}，而不是 {cold}。填充页缓存的用时与一次冷启动大致相同。未测量其他程序。</translation>
    </message>
    <message>
        <source>With the mouse in a time plot</source>
        <translation>在时间图中使用鼠标</translation>
    </message>
    <message>
        <source>With the settings changed from its defaults</source>
        <translation>及与其默认值不同的设置</translation>
    </message>
    <message>
        <source>With these settings: {time} at best</source>
        <translation>用这些设置：最快 {time}</translation>
    </message>
    <message>
        <source>With {nodes}</source>
        <translation>使用 {nodes}</translation>
    </message>
    <message>
        <source>With {strategy} it took {time} {start}, with {other} {other_time}.</source>
        <translation>使用 {strategy}{start}用时 {time}；使用 {other} 用时 {other_time}。</translation>
    </message>
    <message>
        <source>With {strategy} it took {time} {start}.</source>
        <translation>使用 {strategy}{start}用时 {time}。</translation>
    </message>
    <message>
        <source>With {strategy} the last of {nodes} nodes was ready after {time}, with {other} after {other_time}.</source>
        <translation>使用 {strategy} 时，{nodes} 个节点中最后一个在 {time} 后就绪；使用 {other} 时在 {other_time} 后就绪。</translation>
    </message>
    <message>
        <source>With {strategy} the last of {nodes} nodes was ready after {time}.</source>
        <translation>使用 {strategy} 时，{nodes} 个节点中最后一个在 {time} 后就绪。</translation>
    </message>
    <message>
        <source>Without a setting, Ollama doesn&apos;t map where no GPU is used or memory is short. Some models of its library are never mapped (ollama/ollama#17147): take those from Hugging Face. On integrated NVIDIA and AMD GPUs it uses direct I/O, with any setting.</source>
        <translation>若不设置，Ollama 在不使用 GPU 或内存不足时不映射。其模型库中的某些模型从不映射（ollama/ollama#17147）：请从 Hugging Face 获取它们。在 NVIDIA 和 AMD 的集成 GPU 上，无论如何设置，它都使用直接 I/O。</translation>
    </message>
    <message>
        <source>Without modelmon</source>
        <translation>不使用 modelmon</translation>
    </message>
    <message>
        <source>Workers share one descriptor and its readahead.</source>
        <translation>各工作进程共用一个描述符及其预读。</translation>
    </message>
    <message>
        <source>Write * for all names.</source>
        <translation>用 * 表示所有名称。</translation>
    </message>
    <message>
        <source>Write a name.</source>
        <translation>它须是名称。</translation>
    </message>
    <message>
        <source>Write a number from 1 to 65535, of a port on this machine.</source>
        <translation>请写 1 到 65535 之间的数字，即本机的端口。</translation>
    </message>
    <message>
        <source>Write a page or Markdown to hand on, without what is private</source>
        <translation>生成可转交的网页或 Markdown，不含私人信息</translation>
    </message>
    <message>
        <source>Write a whole number.</source>
        <translation>它须是整数。</translation>
    </message>
    <message>
        <source>Write eio=OFFSET, stall=OFFSET, truncate=OFFSET, short, or none.</source>
        <translation>请写 eio=OFFSET、stall=OFFSET、truncate=OFFSET、short 或 none。</translation>
    </message>
    <message>
        <source>Write exit, output:REGEX, listening, listening:PORT, http:PORT/PATH, first-token:PORT, quiet, quiet:SECONDS or asked:PORT.</source>
        <translation>请写 exit、output:REGEX、listening、listening:PORT、http:PORT/PATH、first-token:PORT、quiet、quiet:SECONDS 或 asked:PORT。</translation>
    </message>
    <message>
        <source>Write for example 0/4.</source>
        <translation>例如写作 0/4。</translation>
    </message>
    <message>
        <source>Write for example 12, x7 for an experiment, or x7A for its A.</source>
        <translation>例如写成 12，x7 表示一个实验，x7A 表示其中的 A。</translation>
    </message>
    <message>
        <source>Write for example 50ms, 90s, 5m or 1h.</source>
        <translation>例如写作 50ms、90s、5m 或 1h。</translation>
    </message>
    <message>
        <source>Write for example 512MiB or 8GiB.</source>
        <translation>例如写成 512MiB 或 8GiB。</translation>
    </message>
    <message>
        <source>Write for example quiet:5.</source>
        <translation>例如写 quiet:5。</translation>
    </message>
    <message>
        <source>Write for example readers=8.</source>
        <translation>例如写作 readers=8。</translation>
    </message>
    <message>
        <source>Write for example x12, or last.</source>
        <translation>请输入例如 x12，或 last。</translation>
    </message>
    <message>
        <source>Write it in UTF-8.</source>
        <translation>请用 UTF-8 编码书写。</translation>
    </message>
    <message>
        <source>Write modelmon.toml</source>
        <translation>写出 modelmon.toml</translation>
    </message>
    <message>
        <source>Write ssh://user@host:22/path; user and port can be left out.</source>
        <translation>请写成 ssh://user@host:22/path；用户和端口可以省略。</translation>
    </message>
    <message>
        <source>Write the command of {strategy}</source>
        <translation>写出 {strategy} 的命令</translation>
    </message>
    <message>
        <source>Write the ranking; the recommended strategy can&apos;t be stored</source>
        <translation>写出排名；所推荐的策略无法存储</translation>
    </message>
    <message>
        <source>Write the text that the program prints when it is ready.</source>
        <translation>请写程序就绪时打印的文本。</translation>
    </message>
    <message>
        <source>Write together, or for example staggered:2s.</source>
        <translation>请写 together，或例如 staggered:2s。</translation>
    </message>
    <message>
        <source>Write {strategy} as modelmon.toml</source>
        <translation>将 {strategy} 写入 modelmon.toml</translation>
    </message>
    <message>
        <source>Writing the sample model</source>
        <translation>正在写入示例模型</translation>
    </message>
    <message>
        <source>Writing {name}</source>
        <translation>正在写入 {name}</translation>
    </message>
    <message>
        <source>Wrote 1 run to {file}.</source>
        <translation>已将 1 次运行写入 {file}。</translation>
    </message>
    <message>
        <source>Wrote {count} runs to {file}.</source>
        <translation>已将 {count} 次运行写入 {file}。</translation>
    </message>
    <message>
        <source>Wrote {size} to {file}.</source>
        <translation>已将 {size} 写入 {file}。</translation>
    </message>
    <message>
        <source>Your code: open the file in each worker, after the fork.</source>
        <translation>你的代码:在 fork 之后由每个工作进程自行打开文件。</translation>
    </message>
    <message>
        <source>Your own choice of settings.</source>
        <translation>您自选的设置。</translation>
    </message>
    <message>
        <source>Your own disk and model: modelmon doctor MODEL --probe --decode.</source>
        <translation>你自己的磁盘和模型:modelmon doctor MODEL --probe --decode。</translation>
    </message>
    <message>
        <source>Your own mount: modelmon compare MODEL --a shared-fd --b processes.</source>
        <translation>你自己的挂载:modelmon compare MODEL --a shared-fd --b processes。</translation>
    </message>
    <message>
        <source>Your preset.</source>
        <translation>您自己的预设。</translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Zoom (in the waterfall: scroll)</source>
        <translation>缩放（瀑布图中为滚动）</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Zoom in the waterfall</source>
        <translation>在瀑布图中缩放</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>缩小</translation>
    </message>
    <message>
        <source>Zoom to a time range</source>
        <translation>缩放到时间区间</translation>
    </message>
    <message>
        <source>Zoom to the selected range</source>
        <translation>缩放到所选范围</translation>
    </message>
    <message>
        <source>a FUSE mount with 2 ms a request: 93 MB/s at 128 KiB, 933 MB/s at 4 MiB</source>
        <translation>每个请求 2 ms 的 FUSE 挂载：预读 128 KiB 时 93 MB/s，4 MiB 时 933 MB/s</translation>
    </message>
    <message>
        <source>a common rule for RAM: 1.5× the model</source>
        <translation>常见的内存建议：模型大小的 1.5 倍</translation>
    </message>
    <message>
        <source>a device with 2 ms a request: 93 MB/s at 128 KiB, 933 MB/s at 4 MiB</source>
        <translation>每个请求 2 ms 的设备：预读 128 KiB 时 93 MB/s，4 MiB 时 933 MB/s</translation>
    </message>
    <message>
        <source>a drive of Windows</source>
        <translation>Windows 驱动器</translation>
    </message>
    <message>
        <source>a hypervisor runs below, --no-memory-prep was given</source>
        <translation>运行在虚拟机管理程序之上，且使用了 --no-memory-prep</translation>
    </message>
    <message>
        <source>a local disk also caches what was read</source>
        <translation>本地磁盘也会缓存读取过的内容</translation>
    </message>
    <message>
        <source>a metadata key</source>
        <translation>元数据键</translation>
    </message>
    <message>
        <source>a model</source>
        <translation>某个模型</translation>
    </message>
    <message>
        <source>a safetensors file</source>
        <translation>safetensors 文件</translation>
    </message>
    <message>
        <source>a second direct read of the same places was {ratio}× as fast</source>
        <translation>对相同位置第二次直接读取的速度是第一次的 {ratio} 倍</translation>
    </message>
    <message>
        <source>a slice per node</source>
        <translation>每个节点一个分片</translation>
    </message>
    <message>
        <source>a tensor&apos;s name</source>
        <translation>张量名称</translation>
    </message>
    <message>
        <source>a virtual disk reports what its host configured</source>
        <translation>虚拟磁盘报告的是其宿主机的配置</translation>
    </message>
    <message>
        <source>about {times}</source>
        <translation>约 {times}</translation>
    </message>
    <message>
        <source>after reading</source>
        <translation>读取之后</translation>
    </message>
    <message>
        <source>after reading {time}</source>
        <translation>读取之后 {time}</translation>
    </message>
    <message>
        <source>after “{line}”</source>
        <translation>“{line}”之后</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>all .safetensors files of the folder, or the ones that {index} names</source>
        <translation>该文件夹自身的所有 .safetensors 文件，或其中由 {index} 列出的文件</translation>
    </message>
    <message>
        <source>all at once</source>
        <translation>全部同时</translation>
    </message>
    <message>
        <source>all in memory when the call returned</source>
        <translation>调用返回时已全部在内存中</translation>
    </message>
    <message>
        <source>all settings</source>
        <translation>全部设置</translation>
    </message>
    <message>
        <source>all together</source>
        <translation>全部同时</translation>
    </message>
    <message>
        <source>allocating the KV cache</source>
        <translation>分配 KV 缓存</translation>
    </message>
    <message>
        <source>already in memory; how much was used is unknown</source>
        <translation>已在内存中；使用了多少未知</translation>
    </message>
    <message>
        <source>an object store</source>
        <translation>对象存储</translation>
    </message>
    <message>
        <source>an unknown driver</source>
        <translation>未知的驱动程序</translation>
    </message>
    <message>
        <source>and so on, {count} readers</source>
        <translation>依此类推，共 {count} 个读取器</translation>
    </message>
    <message>
        <source>and swap ({free} free) is too small for the rest</source>
        <translation>且交换空间（空闲 {free}）也放不下其余部分</translation>
    </message>
    <message>
        <source>and there is no swap free for the rest</source>
        <translation>且没有空闲的交换空间容纳其余部分</translation>
    </message>
    <message>
        <source>another GGUF file begins at byte {start}: the files of a split model were joined with cat, and programs load only the first.</source>
        <translation>另一个 GGUF 文件从字节 {start} 开始：拆分模型的各文件是用 cat 合并的，而程序只加载第一个。</translation>
    </message>
    <message>
        <source>another delivery</source>
        <translation>不同的交付方式</translation>
    </message>
    <message>
        <source>another disk</source>
        <translation>不同的磁盘</translation>
    </message>
    <message>
        <source>another machine</source>
        <translation>不同的机器</translation>
    </message>
    <message>
        <source>another machine ({cpu}), {storage}</source>
        <translation>另一台机器（{cpu}），{storage}</translation>
    </message>
    <message>
        <source>another model</source>
        <translation>不同的模型</translation>
    </message>
    <message>
        <source>another model of the same layout</source>
        <translation>布局相同的另一个模型</translation>
    </message>
    <message>
        <source>another part of the model</source>
        <translation>模型的不同部分</translation>
    </message>
    <message>
        <source>another part of the start was timed</source>
        <translation>计时的是启动的另一部分</translation>
    </message>
    <message>
        <source>another sign that it&apos;s ready</source>
        <translation>另一种就绪标志</translation>
    </message>
    <message>
        <source>another size loaded</source>
        <translation>不同的加载量</translation>
    </message>
    <message>
        <source>another start state</source>
        <translation>不同的启动状态</translation>
    </message>
    <message>
        <source>array (md)</source>
        <translation>阵列（md）</translation>
    </message>
    <message>
        <source>arriving</source>
        <translation>到达</translation>
    </message>
    <message>
        <source>as requested</source>
        <translation>按要求</translation>
    </message>
    <message>
        <source>as-is</source>
        <translation>缓存保持原样</translation>
    </message>
    <message>
        <source>asleep for {slept}</source>
        <translation>休眠 {slept}</translation>
    </message>
    <message>
        <source>at least {amount}</source>
        <translation>至少 {amount}</translation>
    </message>
    <message>
        <source>at least {ratio}× as long</source>
        <translation>用时至少为 {ratio} 倍</translation>
    </message>
    <message>
        <source>at most {request} a request</source>
        <translation>每个请求最多 {request}</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>auto finds the cluster that this machine is part of</source>
        <translation>auto 会找到本机所属的集群</translation>
    </message>
    <message>
        <source>auto, HOST:PORT or ray://HOST:PORT</source>
        <translation>auto、HOST:PORT 或 ray://HOST:PORT</translation>
    </message>
    <message>
        <source>before December 2024</source>
        <translation>早于 2024 年 12 月</translation>
    </message>
    <message>
        <source>before September 2026</source>
        <translation>早于 2026 年 9 月</translation>
    </message>
    <message>
        <source>before reading</source>
        <translation>读取之前</translation>
    </message>
    <message>
        <source>before reading {time}</source>
        <translation>读取之前 {time}</translation>
    </message>
    <message>
        <source>before safetensors 0.8</source>
        <translation>早于 safetensors 0.8</translation>
    </message>
    <message>
        <source>best</source>
        <translation>最佳</translation>
    </message>
    <message>
        <source>best rate seen here</source>
        <translation>此处见过的最高速率</translation>
    </message>
    <message>
        <source>best so far</source>
        <translation>目前最佳</translation>
    </message>
    <message>
        <source>block</source>
        <translation>块</translation>
    </message>
    <message>
        <source>block, in execution order</source>
        <translation>块，按执行顺序</translation>
    </message>
    <message>
        <source>block, slowest first</source>
        <translation>块，最慢在前</translation>
    </message>
    <message>
        <source>blocks {blocks}</source>
        <translation>块 {blocks}</translation>
    </message>
    <message>
        <source>buffered, cold</source>
        <translation>经页缓存读取，当时没有缓存</translation>
    </message>
    <message>
        <source>bus unknown</source>
        <translation>总线未知</translation>
    </message>
    <message>
        <source>busy processors</source>
        <translation>处理器繁忙</translation>
    </message>
    <message>
        <source>by counters</source>
        <translation>由计数器</translation>
    </message>
    <message>
        <source>by residency</source>
        <translation>由驻留情况</translation>
    </message>
    <message>
        <source>cache on a local disk</source>
        <translation>本地磁盘上的缓存</translation>
    </message>
    <message>
        <source>cache state unknown</source>
        <translation>缓存状态未知</translation>
    </message>
    <message>
        <source>cached here</source>
        <translation>此处已缓存</translation>
    </message>
    <message>
        <source>can&apos;t run: {why}</source>
        <translation>无法运行：{why}</translation>
    </message>
    <message>
        <source>cannot run</source>
        <translation>无法运行</translation>
    </message>
    <message>
        <source>capturing CUDA graphs</source>
        <translation>捕获 CUDA 图</translation>
    </message>
    <message>
        <source>cgroup limit {size}</source>
        <translation>cgroup 上限 {size}</translation>
    </message>
    <message>
        <source>cold</source>
        <translation>冷启动</translation>
    </message>
    <message>
        <source>cold here, cached below</source>
        <translation>此处为冷，下层已缓存</translation>
    </message>
    <message>
        <source>cold here, server state unknown</source>
        <translation>本机为冷，服务器状态未知</translation>
    </message>
    <message>
        <source>cold runs</source>
        <translation>冷启动运行</translation>
    </message>
    <message>
        <source>cold start</source>
        <translation>冷启动</translation>
    </message>
    <message>
        <source>cold start here</source>
        <translation>本机冷启动</translation>
    </message>
    <message>
        <source>cold starts, run {active} of {active2}</source>
        <translation>冷启动，第 {active} 次运行（共 {active2} 次）</translation>
    </message>
    <message>
        <source>compare with nothing</source>
        <translation>不作对比</translation>
    </message>
    <message>
        <source>comparing</source>
        <translation>正在对比</translation>
    </message>
    <message>
        <source>comparison not finished</source>
        <translation>对比未完成</translation>
    </message>
    <message>
        <source>compiled</source>
        <translation>已编译</translation>
    </message>
    <message>
        <source>compiling</source>
        <translation>编译</translation>
    </message>
    <message>
        <source>compressed memory (zram)</source>
        <translation>压缩内存（zram）</translation>
    </message>
    <message>
        <source>computing</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>computing the first answer</source>
        <translation>计算第一次回答</translation>
    </message>
    <message>
        <source>concepts.rst in the kernel&apos;s Documentation/admin-guide/mm, on reclaim</source>
        <translation>内核 Documentation/admin-guide/mm 中的 concepts.rst 关于回收的说明</translation>
    </message>
    <message>
        <source>connecting processes</source>
        <translation>连接各进程</translation>
    </message>
    <message>
        <source>connections that share the load</source>
        <translation>分担负载的连接数</translation>
    </message>
    <message>
        <source>connects to another machine</source>
        <translation>连接到另一台机器</translation>
    </message>
    <message>
        <source>connects to other machines {count} times</source>
        <translation>连接到其他机器 {count} 次</translation>
    </message>
    <message>
        <source>copies</source>
        <translation>内存复制</translation>
    </message>
    <message>
        <source>copies out of the page cache {share} of the time</source>
        <translation>有 {share} 的时间在从页缓存复制</translation>
    </message>
    <message>
        <source>copying</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>copying cached bytes</source>
        <translation>复制已缓存的数据</translation>
    </message>
    <message>
        <source>couldn&apos;t open the file: {reason}</source>
        <translation>无法打开文件：{reason}</translation>
    </message>
    <message>
        <source>counted runs</source>
        <translation>计入</translation>
    </message>
    <message>
        <source>d MMMM</source>
        <translation>M月d日</translation>
    </message>
    <message>
        <source>d MMMM yyyy</source>
        <translation>yyyy年M月d日</translation>
    </message>
    <message>
        <source>data_offsets is {offsets}, which leaves a hole before it; it must start at {covered}.</source>
        <translation>data_offsets 是 {offsets}，在它之前留有空洞；必须从 {covered} 开始。</translation>
    </message>
    <message>
        <source>data_offsets is {offsets}, which overlaps the tensor before it; it must start at {covered}.</source>
        <translation>data_offsets 是 {offsets}，与前一个张量重叠；必须从 {covered} 开始。</translation>
    </message>
    <message>
        <source>data_offsets is {offsets}, {size} bytes; shape {shape} of {dtype} needs {bits} bits, not whole bytes.</source>
        <translation>data_offsets 是 {offsets}，共 {size} 字节；形状 {shape} 的 {dtype} 需要 {bits} 位，不是整字节。</translation>
    </message>
    <message>
        <source>data_offsets is {offsets}, {size} bytes; shape {shape} of {dtype} needs {needed} bytes.</source>
        <translation>data_offsets 是 {offsets}，共 {size} 字节；形状 {shape} 的 {dtype} 需要 {needed} 字节。</translation>
    </message>
    <message>
        <source>data_offsets is {offsets}; the end cannot lie before the start.</source>
        <translation>data_offsets 是 {offsets}；结束不能在开始之前。</translation>
    </message>
    <message>
        <source>decode</source>
        <translation>解码</translation>
    </message>
    <message>
        <source>decode {time} in parallel</source>
        <translation>并行解码 {time}</translation>
    </message>
    <message>
        <source>decoders</source>
        <translation>解码器</translation>
    </message>
    <message>
        <source>decodes {share} of the time, {rate} per core</source>
        <translation>有 {share} 的时间在解码，每核 {rate}</translation>
    </message>
    <message>
        <source>decoding</source>
        <translation>解码</translation>
    </message>
    <message>
        <source>decoding a test</source>
        <translation>试解码</translation>
    </message>
    <message>
        <source>device mapper</source>
        <translation>设备映射</translation>
    </message>
    <message>
        <source>diffusers, transformers in one process: disable_mmap=True.</source>
        <translation>单进程的 diffusers、transformers：disable_mmap=True。</translation>
    </message>
    <message>
        <source>direct I/O</source>
        <translation>绕过页缓存</translation>
    </message>
    <message>
        <source>disable_mmap of whole pipelines: December 2025</source>
        <translation>整个流水线的 disable_mmap：2025 年 12 月</translation>
    </message>
    <message>
        <source>disable_mmap: in 5.10.1, not in 4.57.1</source>
        <translation>disable_mmap：5.10.1 中有，4.57.1 中没有</translation>
    </message>
    <message>
        <source>disk busy</source>
        <translation>设备忙碌</translation>
    </message>
    <message>
        <source>disk limit</source>
        <translation>磁盘上限</translation>
    </message>
    <message>
        <source>disk limit {time}</source>
        <translation>磁盘上限 {time}</translation>
    </message>
    <message>
        <source>disturbed</source>
        <translation>受干扰</translation>
    </message>
    <message>
        <source>dm-crypt, decrypted by the CPU</source>
        <translation>dm-crypt，由 CPU 解密</translation>
    </message>
    <message>
        <source>dm-verity, checked by the CPU</source>
        <translation>dm-verity，由 CPU 校验</translation>
    </message>
    <message>
        <source>doesn&apos;t fit: {figures}; {shortage}</source>
        <translation>放不下：{figures}; {shortage}</translation>
    </message>
    <message>
        <source>done</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>done, not counted</source>
        <translation>已完成，未计入</translation>
    </message>
    <message>
        <source>each byte was read {times}× from storage</source>
        <translation>每个字节从存储读取了 {times} 次</translation>
    </message>
    <message>
        <source>each of {faults} page faults waits {each}</source>
        <translation>{faults} 次缺页每次等待 {each}</translation>
    </message>
    <message>
        <source>each request takes {each}</source>
        <translation>每个请求需要 {each}</translation>
    </message>
    <message>
        <source>en</source>
        <translation>zh-CN</translation>
    </message>
    <message>
        <source>ended</source>
        <translation>已结束</translation>
    </message>
    <message>
        <source>ended before its turn</source>
        <translation>轮到之前已结束</translation>
    </message>
    <message>
        <source>ended with exit code {code}</source>
        <translation>以退出码 {code} 结束</translation>
    </message>
    <message>
        <source>energy preference power</source>
        <translation>能耗偏好 power</translation>
    </message>
    <message>
        <source>estimating</source>
        <translation>正在估算</translation>
    </message>
    <message>
        <source>every </source>
        <translation>每隔 </translation>
    </message>
    <message>
        <source>every access asks the server whether the file changed</source>
        <translation>每次访问都询问服务器文件是否改变</translation>
    </message>
    <message>
        <source>every byte is decrypted by the CPU</source>
        <translation>每个字节都由 CPU 解密</translation>
    </message>
    <message>
        <source>every page read in</source>
        <translation>每一页都已读入</translation>
    </message>
    <message>
        <source>every read notes its time on the disk</source>
        <translation>每次读取都会把时间写到磁盘</translation>
    </message>
    <message>
        <source>exact (kernel trace)</source>
        <translation>精确（内核跟踪）</translation>
    </message>
    <message>
        <source>exit code {code}</source>
        <translation>退出码 {code}</translation>
    </message>
    <message>
        <source>expected, likely range</source>
        <translation>预期值，可能范围</translation>
    </message>
    <message>
        <source>extrapolated</source>
        <translation>外推</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>fainter is slower; full color {rate}</source>
        <translation>越接近底色越慢；最深处为 {rate}</translation>
    </message>
    <message>
        <source>fast disk, Q4, compiled decoder</source>
        <translation>快速磁盘,Q4,编译的解码器</translation>
    </message>
    <message>
        <source>fast disk, Q4, in order</source>
        <translation>快速磁盘，Q4，按顺序</translation>
    </message>
    <message>
        <source>fast disk, Q8, in order</source>
        <translation>快速磁盘，Q8，按顺序</translation>
    </message>
    <message>
        <source>fault {time}</source>
        <translation>缺页 {time}</translation>
    </message>
    <message>
        <source>faults</source>
        <translation>缺页</translation>
    </message>
    <message>
        <source>few samples: {runs}</source>
        <translation>采样过少：{runs}</translation>
    </message>
    <message>
        <source>file cache with parallel downloads</source>
        <translation>并行下载的文件缓存</translation>
    </message>
    <message>
        <source>file: by offset; model: block by block; random: the worst case (seeded)</source>
        <translation>file：按偏移量；model：逐块；random：最坏情况（固定种子）</translation>
    </message>
    <message>
        <source>files written since are decompressed by the CPU</source>
        <translation>此后写入的文件由 CPU 解压</translation>
    </message>
    <message>
        <source>filesystem {behind}</source>
        <translation>文件系统 {behind}</translation>
    </message>
    <message>
        <source>fills {size} of new memory</source>
        <translation>填充 {size} 新内存</translation>
    </message>
    <message>
        <source>finding the best</source>
        <translation>正在寻找最佳</translation>
    </message>
    <message>
        <source>fits: {figures}</source>
        <translation>放得下：{figures}</translation>
    </message>
    <message>
        <source>fitting it to memory</source>
        <translation>适配内存</translation>
    </message>
    <message>
        <source>for older ones, use modelmon history</source>
        <translation>更早的运行见 modelmon history</translation>
    </message>
    <message>
        <source>for programs that use mmap or buffered reads</source>
        <translation>用于使用 mmap 或缓冲读取的程序</translation>
    </message>
    <message>
        <source>fresh pages</source>
        <translation>新页</translation>
    </message>
    <message>
        <source>from a cold start</source>
        <translation>（冷启动）</translation>
    </message>
    <message>
        <source>from a warm start</source>
        <translation>（热启动）</translation>
    </message>
    <message>
        <source>from disk</source>
        <translation>来自磁盘</translation>
    </message>
    <message>
        <source>from memory</source>
        <translation>来自内存</translation>
    </message>
    <message>
        <source>from storage</source>
        <translation>来自存储</translation>
    </message>
    <message>
        <source>from the page cache</source>
        <translation>来自页缓存</translation>
    </message>
    <message>
        <source>from {place}</source>
        <translation>来自{place}</translation>
    </message>
    <message>
        <source>general.alignment is {text}; a power of two from 1 to {max_alignment} is possible.</source>
        <translation>general.alignment 是 {text}；可能的值为 1 到 {max_alignment} 的 2 的幂。</translation>
    </message>
    <message>
        <source>get_tensor maps the file too: nothing is read before the first use.</source>
        <translation>get_tensor 也只是映射文件:首次使用前什么都不读。</translation>
    </message>
    <message>
        <source>gets its bytes from memory at {bytes_rate}; a faster disk won&apos;t help</source>
        <translation>以 {bytes_rate} 从内存中取得数据；更快的磁盘没有帮助</translation>
    </message>
    <message>
        <source>ggml-org/llama.cpp#14154</source>
        <translation>ggml-org/llama.cpp#14154</translation>
    </message>
    <message>
        <source>gguf {version}, which is installed, has no decoder for it</source>
        <translation>已安装的 gguf {version} 没有它的解码器</translation>
    </message>
    <message>
        <source>gguf&apos;s decoder</source>
        <translation>gguf 的解码器</translation>
    </message>
    <message>
        <source>governor powersave with {frequency_driver}</source>
        <translation>调速器 powersave，驱动 {frequency_driver}</translation>
    </message>
    <message>
        <source>hard disk</source>
        <translation>机械硬盘</translation>
    </message>
    <message>
        <source>hard disk, Q4, in order</source>
        <translation>机械硬盘，Q4，按顺序</translation>
    </message>
    <message>
        <source>hard disk, Q4, map, 4 threads</source>
        <translation>机械硬盘，Q4，映射，4 线程</translation>
    </message>
    <message>
        <source>hollow: disturbed</source>
        <translation>空心：受干扰</translation>
    </message>
    <message>
        <source>how far the client reads ahead</source>
        <translation>客户端的预读距离</translation>
    </message>
    <message>
        <source>how long {phase} takes is unknown</source>
        <translation>{phase}用时未知</translation>
    </message>
    <message>
        <source>hugetlbfs files have no page cache</source>
        <translation>hugetlbfs 文件没有页缓存</translation>
    </message>
    <message>
        <source>huggingface/diffusers#10305: a 7.2 GB model from gcsfuse in 16 minutes with mmap, in under one without</source>
        <translation>huggingface/diffusers#10305：通过 gcsfuse 加载 7.2 GB 的模型，用 mmap 需 16 分钟，不用则不到 1 分钟</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>idle {value}</source>
        <translation>空闲 {value}</translation>
    </message>
    <message>
        <source>idle: waits for a timer, another process or a device</source>
        <translation>空闲：在等待定时器、另一个进程或设备</translation>
    </message>
    <message>
        <source>image</source>
        <translation>映像</translation>
    </message>
    <message>
        <source>in its own code</source>
        <translation>运行自身代码</translation>
    </message>
    <message>
        <source>in memory</source>
        <translation>内存中</translation>
    </message>
    <message>
        <source>in progress</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>in the cgroup</source>
        <translation>cgroup 中已用</translation>
    </message>
    <message>
        <source>incomplete</source>
        <translation>不完整</translation>
    </message>
    <message>
        <source>inferred</source>
        <translation>推断</translation>
    </message>
    <message>
        <source>intel_pstate.rst, amd-pstate.rst and cpufreq.rst in the kernel&apos;s Documentation/admin-guide/pm</source>
        <translation>内核 Documentation/admin-guide/pm 中的 intel_pstate.rst、amd-pstate.rst 和 cpufreq.rst</translation>
    </message>
    <message>
        <source>into {pages} {best_rate} at best, {median_rate} median of {repeats}</source>
        <translation>写入{pages}，最高 {best_rate}，{repeats} 次的中位数 {median_rate}</translation>
    </message>
    <message>
        <source>invalidate_mapping_pages() in the kernel&apos;s mm/truncate.c</source>
        <translation>内核 mm/truncate.c 中的 invalidate_mapping_pages()</translation>
    </message>
    <message>
        <source>is busy in the kernel {share} of the time, mapping pages or preparing memory</source>
        <translation>有 {share} 的时间在内核中映射页或准备内存</translation>
    </message>
    <message>
        <source>is held to {amount} by a limit of its control group, {where}, waiting {waiting} of the time</source>
        <translation>被其控制组的限制（{where}）限制在 {amount}，{waiting} 的时间在等待</translation>
    </message>
    <message>
        <source>is limited by {storage_name}&apos;s bandwidth: {rate}, waiting {waiting} of the time</source>
        <translation>受限于{storage_name}的带宽：读取速率 {rate}，有 {waiting} 的时间在等待</translation>
    </message>
    <message>
        <source>is ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>is throttled to {device_rate} while the disk is mostly idle, waiting for {storage_name} {waiting} of the time</source>
        <translation>被限制在 {device_rate}，而磁盘大多空闲；有 {waiting} 的时间在等待{storage_name}</translation>
    </message>
    <message>
        <source>it gets {share} of the {best} reached here</source>
        <translation>只得到此处曾达到的 {best} 的 {share}</translation>
    </message>
    <message>
        <source>it gives no reason</source>
        <translation>它没有给出原因</translation>
    </message>
    <message>
        <source>it reads in random order</source>
        <translation>请求的顺序是随机的</translation>
    </message>
    <message>
        <source>it would disturb the load of so large a model</source>
        <translation>会干扰如此大的模型的加载</translation>
    </message>
    <message>
        <source>it {clause}</source>
        <translation>它{clause}</translation>
    </message>
    <message>
        <source>items of {what}</source>
        <translation>{what} 的元素</translation>
    </message>
    <message>
        <source>its cgroup grants {quota} at a time</source>
        <translation>其 cgroup 允许同时使用 {quota} 个</translation>
    </message>
    <message>
        <source>its cgroup ran out of memory ({limit}: {where})</source>
        <translation>其 cgroup 内存耗尽（{limit}：{where}）</translation>
    </message>
    <message>
        <source>its folder {bind_root}</source>
        <translation>其中的文件夹 {bind_root}</translation>
    </message>
    <message>
        <source>its layout isn&apos;t known</source>
        <translation>其布局未知</translation>
    </message>
    <message>
        <source>its limit</source>
        <translation>其上限</translation>
    </message>
    <message>
        <source>its own disk is slower</source>
        <translation>其自身磁盘较慢</translation>
    </message>
    <message>
        <source>its pages would be dropped and reread</source>
        <translation>它的页会被移除并一再重新读取</translation>
    </message>
    <message>
        <source>its processors were slowed down</source>
        <translation>其处理器被降速</translation>
    </message>
    <message>
        <source>its runs didn&apos;t start as requested.</source>
        <translation>它的运行未按要求启动。</translation>
    </message>
    <message>
        <source>its tables aren&apos;t modelmon&apos;s</source>
        <translation>其中的表不是 modelmon 创建的</translation>
    </message>
    <message>
        <source>its values are complex</source>
        <translation>其值是复数</translation>
    </message>
    <message>
        <source>its values are packed below a byte</source>
        <translation>其值不足一字节而紧密存放</translation>
    </message>
    <message>
        <source>its way to the storage is slower</source>
        <translation>其到存储的路径较慢</translation>
    </message>
    <message>
        <source>its {readers} readers take turns at distant places</source>
        <translation>它的 {readers} 个读取器轮流读取相距很远的位置</translation>
    </message>
    <message>
        <source>joined</source>
        <translation>加入</translation>
    </message>
    <message>
        <source>joined to ready</source>
        <translation>从加入到就绪</translation>
    </message>
    <message>
        <source>just now</source>
        <translation>刚刚</translation>
    </message>
    <message>
        <source>keep</source>
        <translation>保持不变</translation>
    </message>
    <message>
        <source>kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>kernel CPU</source>
        <translation>内核 CPU</translation>
    </message>
    <message>
        <source>known from its mount type</source>
        <translation>由挂载类型得知</translation>
    </message>
    <message>
        <source>known from its serving process</source>
        <translation>由服务进程得知</translation>
    </message>
    <message>
        <source>known from its source</source>
        <translation>由来源得知</translation>
    </message>
    <message>
        <source>ktransformers takes two folders of weights: give its whole command to modelmon watch.</source>
        <translation>ktransformers 需要两个权重文件夹：请将它的完整命令交给 modelmon watch。</translation>
    </message>
    <message>
        <source>kubernetes/kubernetes#43916</source>
        <translation>kubernetes/kubernetes#43916</translation>
    </message>
    <message>
        <source>kvcache-ai/ktransformers#471: about a minute a block from a hard disk</source>
        <translation>kvcache-ai/ktransformers#471：从机械硬盘加载每个块约需一分钟</translation>
    </message>
    <message>
        <source>large reads suffer from every lost packet</source>
        <translation>大块读取会受每个丢包影响</translation>
    </message>
    <message>
        <source>last ready</source>
        <translation>最后就绪</translation>
    </message>
    <message>
        <source>latency</source>
        <translation>应答延迟</translation>
    </message>
    <message>
        <source>least available</source>
        <translation>最少可用</translation>
    </message>
    <message>
        <source>less than {time}</source>
        <translation>不到 {time}</translation>
    </message>
    <message>
        <source>library</source>
        <translation>库</translation>
    </message>
    <message>
        <source>likely {low} to {high}</source>
        <translation>很可能为 {low} 到 {high}</translation>
    </message>
    <message>
        <source>likely {low} to {high} less</source>
        <translation>用时很可能少 {low} 至 {high}</translation>
    </message>
    <message>
        <source>likely {low}× to {high}×</source>
        <translation>速度很可能为 {low} 至 {high} 倍</translation>
    </message>
    <message>
        <source>likely {ratio}×</source>
        <translation>速度很可能为 {ratio} 倍</translation>
    </message>
    <message>
        <source>likely {share} less</source>
        <translation>用时很可能少 {share}</translation>
    </message>
    <message>
        <source>linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <source>llama.cpp couldn&apos;t load {path}: {reason}.</source>
        <translation>llama.cpp 无法加载 {path}：{reason}。</translation>
    </message>
    <message>
        <source>llama.cpp itself, reading all. What its users pay.</source>
        <translation>llama.cpp 本身，读取全部。其用户的实际代价。</translation>
    </message>
    <message>
        <source>llama.cpp keeps weights quantized: it decodes nothing while it loads.</source>
        <translation>llama.cpp 保持权重量化:加载时不解码。</translation>
    </message>
    <message>
        <source>load time</source>
        <translation>加载时间</translation>
    </message>
    <message>
        <source>loaded</source>
        <translation>已加载</translation>
    </message>
    <message>
        <source>loading custom nodes</source>
        <translation>加载自定义节点</translation>
    </message>
    <message>
        <source>loading the model</source>
        <translation>加载模型</translation>
    </message>
    <message>
        <source>local disk</source>
        <translation>本地磁盘</translation>
    </message>
    <message>
        <source>local files</source>
        <translation>本地文件</translation>
    </message>
    <message>
        <source>loop device</source>
        <translation>回环设备</translation>
    </message>
    <message>
        <source>loop device without direct I/O on {backing_file}</source>
        <translation>回环设备，对 {backing_file} 未使用直接 I/O</translation>
    </message>
    <message>
        <source>losetup(8)</source>
        <translation>losetup(8)</translation>
    </message>
    <message>
        <source>lowest in its column</source>
        <translation>该列最低</translation>
    </message>
    <message>
        <source>lseek(2), on holes: they read as zeros</source>
        <translation>lseek(2) 关于空洞的说明：读出来全是零</translation>
    </message>
    <message>
        <source>machine, disk and model of an import are uncertain</source>
        <translation>导入记录的机器、磁盘和模型无法确知</translation>
    </message>
    <message>
        <source>major</source>
        <translation>主缺页</translation>
    </message>
    <message>
        <source>major faults</source>
        <translation>主缺页</translation>
    </message>
    <message>
        <source>makes the machine swap {swapped}</source>
        <translation>使系统换页 {swapped}</translation>
    </message>
    <message>
        <source>mapped</source>
        <translation>已映射</translation>
    </message>
    <message>
        <source>maps the host&apos;s memory: the page cache here is bypassed</source>
        <translation>映射宿主机的内存：绕过本机的页缓存</translation>
    </message>
    <message>
        <source>matches the file</source>
        <translation>与文件一致</translation>
    </message>
    <message>
        <source>mean request</source>
        <translation>平均请求</translation>
    </message>
    <message>
        <source>mean request {mean_request}</source>
        <translation>平均请求 {mean_request}</translation>
    </message>
    <message>
        <source>mean wait {read_await}</source>
        <translation>平均等待 {read_await}</translation>
    </message>
    <message>
        <source>measured {when}</source>
        <translation>{when} 测量</translation>
    </message>
    <message>
        <source>measuring a cluster</source>
        <translation>测量集群</translation>
    </message>
    <message>
        <source>measuring the disk</source>
        <translation>正在磁盘测速</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>memory conditioning</source>
        <translation>内存是否预先触碰过</translation>
    </message>
    <message>
        <source>memory now</source>
        <translation>当前内存</translation>
    </message>
    <message>
        <source>memory pressure (PSI)</source>
        <translation>内存压力（PSI）</translation>
    </message>
    <message>
        <source>memory-mapped (reclaimable)</source>
        <translation>内存映射（可回收）</translation>
    </message>
    <message>
        <source>memory-mapped files</source>
        <translation>内存映射文件</translation>
    </message>
    <message>
        <source>metadata key {key} is there twice.</source>
        <translation>元数据键 {key} 出现了两次。</translation>
    </message>
    <message>
        <source>metadata key {number} is not UTF-8: {raw}.</source>
        <translation>第 {number} 个元数据键不是 UTF-8：{raw}。</translation>
    </message>
    <message>
        <source>million/s</source>
        <translation>百万次/秒</translation>
    </message>
    <message>
        <source>minor</source>
        <translation>次缺页</translation>
    </message>
    <message>
        <source>minor faults</source>
        <translation>次缺页</translation>
    </message>
    <message>
        <source>mmap waits for a round trip each time readahead ends. {compare}</source>
        <translation>mmap 在每次预读结束时都要等待一次往返。{compare}</translation>
    </message>
    <message>
        <source>mmap: maps the file. read: buffered reads. direct: direct I/O. auto: chooses by what is cached.</source>
        <translation>mmap：映射文件。read：缓冲读取。direct：直接 I/O。auto：按缓存内容选择。</translation>
    </message>
    <message>
        <source>model read</source>
        <translation>模型已读完</translation>
    </message>
    <message>
        <source>model unknown</source>
        <translation>型号未知</translation>
    </message>
    <message>
        <source>model.safetensors or what an index next to it names</source>
        <translation>model.safetensors，或其旁边的索引所列的文件</translation>
    </message>
    <message>
        <source>modelmon is comparing strategies</source>
        <translation>modelmon 正在对比策略</translation>
    </message>
    <message>
        <source>modelmon isn&apos;t installed on {server}.</source>
        <translation>{server} 上没有安装 modelmon。</translation>
    </message>
    <message>
        <source>modelmon on {server} failed: {words}.</source>
        <translation>{server} 上的 modelmon 失败：{words}。</translation>
    </message>
    <message>
        <source>modelmon starts it, or joins it, and divides the wait into phases. The longest one is where to begin.</source>
        <translation>modelmon 启动或加入该程序，并把等待时间划分为各阶段。从最长的阶段入手。</translation>
    </message>
    <message>
        <source>modelmon {name} has given no answer.</source>
        <translation>modelmon {name} 没有给出回答。</translation>
    </message>
    <message>
        <source>modelmon {name} on {server} {how}.</source>
        <translation>{server} 上的 modelmon {name} {how}。</translation>
    </message>
    <message>
        <source>modelmon {name} {how}.</source>
        <translation>modelmon {name} {how}。</translation>
    </message>
    <message>
        <source>modelmon {name} {how}. Last output: {words}</source>
        <translation>modelmon {name} {how}。最后的输出：{words}</translation>
    </message>
    <message>
        <source>modelmon&apos;s compiled decoder takes {time} for Q4.</source>
        <translation>modelmon 的编译版解码器解码 Q4 需 {time}。</translation>
    </message>
    <message>
        <source>modelmon&apos;s loader</source>
        <translation>modelmon 的加载器</translation>
    </message>
    <message>
        <source>modelmon.toml stores how to load this model on this machine.</source>
        <translation>modelmon.toml 记录此模型在本机上的加载方式。</translation>
    </message>
    <message>
        <source>modelmon: {names}</source>
        <translation>modelmon：{names}</translation>
    </message>
    <message>
        <source>most of its runs don&apos;t count: {why}</source>
        <translation>它的多数运行不计入：{why}</translation>
    </message>
    <message>
        <source>mount options</source>
        <translation>挂载选项</translation>
    </message>
    <message>
        <source>mount.fuse3(8), direct_io</source>
        <translation>mount.fuse3(8)，direct_io</translation>
    </message>
    <message>
        <source>move the model off the Windows drive</source>
        <translation>将模型移出 Windows 驱动器</translation>
    </message>
    <message>
        <source>network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>nfs(5), mount.cifs(8) and 9p.rst in the kernel&apos;s Documentation/filesystems</source>
        <translation>nfs(5)、mount.cifs(8) 以及内核 Documentation/filesystems 中的 9p.rst</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>no clear bottleneck</source>
        <translation>无明确瓶颈</translation>
    </message>
    <message>
        <source>no counted run</source>
        <translation>没有计入的运行</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>无限制</translation>
    </message>
    <message>
        <source>no longer there</source>
        <translation>已不存在</translation>
    </message>
    <message>
        <source>no node lags behind the others</source>
        <translation>没有节点落后于其他节点</translation>
    </message>
    <message>
        <source>no read of the model was detected</source>
        <translation>没有检测到对该模型的读取</translation>
    </message>
    <message>
        <source>no start counts</source>
        <translation>没有计入的启动</translation>
    </message>
    <message>
        <source>no start: the figures are of starts that don&apos;t count</source>
        <translation>没有有效启动：数据来自不计入的启动</translation>
    </message>
    <message>
        <source>no strategy is clearly faster yet</source>
        <translation>尚无明显更快的策略</translation>
    </message>
    <message>
        <source>no visible process</source>
        <translation>没有可见的进程</translation>
    </message>
    <message>
        <source>nodes</source>
        <translation>节点数</translation>
    </message>
    <message>
        <source>nodes at once</source>
        <translation>同时的节点数</translation>
    </message>
    <message>
        <source>nodes, the slowest on top</source>
        <translation>节点，最慢的在上</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>none ({version}); {used} in use without cached files</source>
        <translation>none ({version})；已用 {used}（不含缓存的文件）</translation>
    </message>
    <message>
        <source>none counted</source>
        <translation>无一计入</translation>
    </message>
    <message>
        <source>none detected</source>
        <translation>没有迹象</translation>
    </message>
    <message>
        <source>none detected, but this processor can&apos;t report it</source>
        <translation>没有迹象，但此处理器无法判断</translation>
    </message>
    <message>
        <source>none in the last 7 days; it takes a few seconds and reads the file</source>
        <translation>最近 7 天没有；需要几秒钟，并会读取文件</translation>
    </message>
    <message>
        <source>none of its runs counts: {why}</source>
        <translation>它的运行都不计入：{why}</translation>
    </message>
    <message>
        <source>none up to {nodes}</source>
        <translation>直到 {nodes} 个节点均无</translation>
    </message>
    <message>
        <source>not asked yet</source>
        <translation>尚未查询</translation>
    </message>
    <message>
        <source>not available: the kernel counts no stalls (start it with psi=1)</source>
        <translation>不可用：内核不统计停顿（启动时加 psi=1）</translation>
    </message>
    <message>
        <source>not available: {cachestat}</source>
        <translation>不可用：{cachestat}</translation>
    </message>
    <message>
        <source>not available: {probe_missing}</source>
        <translation>不可用：{probe_missing}</translation>
    </message>
    <message>
        <source>not available: {reason}</source>
        <translation>不可用：{reason}</translation>
    </message>
    <message>
        <source>not available: {way_reason}</source>
        <translation>不可用：{way_reason}</translation>
    </message>
    <message>
        <source>not comparable</source>
        <translation>不可比</translation>
    </message>
    <message>
        <source>not counted</source>
        <translation>未计入</translation>
    </message>
    <message>
        <source>not installed</source>
        <translation>未安装</translation>
    </message>
    <message>
        <source>not measured: {buffered_reason}</source>
        <translation>未测量：{buffered_reason}</translation>
    </message>
    <message>
        <source>not ready</source>
        <translation>未就绪</translation>
    </message>
    <message>
        <source>not ready, {time}</source>
        <translation>未就绪，{time}</translation>
    </message>
    <message>
        <source>not seen in the program&apos;s own memory</source>
        <translation>在程序自身的内存中未见到</translation>
    </message>
    <message>
        <source>not used</source>
        <translation>未使用</translation>
    </message>
    <message>
        <source>note</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>nothing came</source>
        <translation>没有读到任何数据</translation>
    </message>
    <message>
        <source>nothing stays cached: every load goes to the host</source>
        <translation>不保留缓存：每次加载都访问宿主机</translation>
    </message>
    <message>
        <source>nothing stays cached: every load goes to the server</source>
        <translation>不保留缓存：每次加载都访问服务器</translation>
    </message>
    <message>
        <source>numba can&apos;t be used here: {reason}.</source>
        <translation>此处无法使用 numba：{reason}。</translation>
    </message>
    <message>
        <source>numpy</source>
        <translation>numpy</translation>
    </message>
    <message>
        <source>numpy cannot represent {types}; torch can: use safetensors.torch.load_file</source>
        <translation>numpy 无法表示 {types}；torch 可以：请使用 safetensors.torch.load_file</translation>
    </message>
    <message>
        <source>object store</source>
        <translation>对象存储</translation>
    </message>
    <message>
        <source>of the best</source>
        <translation>占最高速率</translation>
    </message>
    <message>
        <source>of the file</source>
        <translation>整个文件</translation>
    </message>
    <message>
        <source>of the file only: the library doesn&apos;t show what it loaded</source>
        <translation>仅为文件的校验和：该库不显示加载了什么</translation>
    </message>
    <message>
        <source>of the limit</source>
        <translation>占上限</translation>
    </message>
    <message>
        <source>of the model</source>
        <translation>占模型</translation>
    </message>
    <message>
        <source>of {file}</source>
        <translation>取自 {file}</translation>
    </message>
    <message>
        <source>offset</source>
        <translation>偏移</translation>
    </message>
    <message>
        <source>offset, {unit}</source>
        <translation>偏移，{unit}</translation>
    </message>
    <message>
        <source>ollama create takes all parts of a split model, since 0.30 (May 2026).</source>
        <translation>ollama create 自 0.30（2026 年 5 月）起接受分卷模型的全部分卷。</translation>
    </message>
    <message>
        <source>on</source>
        <translation>已开启</translation>
    </message>
    <message>
        <source>on a virtual machine the host decides what a disk says</source>
        <translation>在虚拟机上，磁盘如何自称由宿主机决定</translation>
    </message>
    <message>
        <source>on another disk</source>
        <translation>在另一块磁盘上</translation>
    </message>
    <message>
        <source>on another machine</source>
        <translation>在另一台机器上</translation>
    </message>
    <message>
        <source>on one virtual machine, reads into huge pages were 2× to 6× as fast</source>
        <translation>在一台虚拟机上，读入大页的速度是原来的 2 至 6 倍</translation>
    </message>
    <message>
        <source>on overhead for each tensor</source>
        <translation>逐张量开销</translation>
    </message>
    <message>
        <source>on page faults</source>
        <translation>处理缺页</translation>
    </message>
    <message>
        <source>on {bus}</source>
        <translation>接在 {bus}</translation>
    </message>
    <message>
        <source>one after another</source>
        <translation>依次</translation>
    </message>
    <message>
        <source>one copy per node</source>
        <translation>每个节点一个副本</translation>
    </message>
    <message>
        <source>one copy per rank</source>
        <translation>每个 rank 一个副本</translation>
    </message>
    <message>
        <source>one core busy</source>
        <translation>占满一个核心</translation>
    </message>
    <message>
        <source>one every {step}</source>
        <translation>每 {step} 一个</translation>
    </message>
    <message>
        <source>one random read</source>
        <translation>一次随机读取</translation>
    </message>
    <message>
        <source>one thread</source>
        <translation>1 个线程</translation>
    </message>
    <message>
        <source>one time axis for all</source>
        <translation>共用一个时间轴</translation>
    </message>
    <message>
        <source>oobabooga/textgen#2607: 113 s in WSL against 7 s in Windows</source>
        <translation>oobabooga/textgen#2607：在 WSL 中 113 s，在 Windows 中 7 s</translation>
    </message>
    <message>
        <source>open</source>
        <translation>已打开</translation>
    </message>
    <message>
        <source>open {time}</source>
        <translation>打开 {time}</translation>
    </message>
    <message>
        <source>opened {when}</source>
        <translation>{when} 打开</translation>
    </message>
    <message>
        <source>opening</source>
        <translation>正在打开模型</translation>
    </message>
    <message>
        <source>opens the model</source>
        <translation>打开模型</translation>
    </message>
    <message>
        <source>other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>other settings</source>
        <translation>其他设置</translation>
    </message>
    <message>
        <source>other {time}</source>
        <translation>其他 {time}</translation>
    </message>
    <message>
        <source>others</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>others moved {others} during {own} of reads: rates are too low</source>
        <translation>读取 {own} 期间其他程序传输了 {others}：测得的速率偏低</translation>
    </message>
    <message>
        <source>others moved {others} while {direct} was measured</source>
        <translation>磁盘测速读取 {direct} 期间，其他程序读写了 {others}</translation>
    </message>
    <message>
        <source>others used the disk meanwhile; {seen}</source>
        <translation>其间有其他程序使用磁盘；{seen}</translation>
    </message>
    <message>
        <source>others used the disk this time, but not last time.</source>
        <translation>有其他程序使用磁盘，而上一次测速时没有。</translation>
    </message>
    <message>
        <source>overlay on {mount_point}</source>
        <translation>overlay，挂载于 {mount_point}</translation>
    </message>
    <message>
        <source>own descriptors</source>
        <translation>各自的描述符</translation>
    </message>
    <message>
        <source>own: each reader opens the file; shared: all readers use one descriptor</source>
        <translation>own：每个读取器各自打开文件；shared：所有读取器共用一个描述符</translation>
    </message>
    <message>
        <source>page cache</source>
        <translation>页缓存</translation>
    </message>
    <message>
        <source>page cache {time}</source>
        <translation>页缓存 {time}</translation>
    </message>
    <message>
        <source>page faults</source>
        <translation>缺页</translation>
    </message>
    <message>
        <source>pages in use</source>
        <translation>使用中的页</translation>
    </message>
    <message>
        <source>pages that came into the page cache</source>
        <translation>进入页缓存的页</translation>
    </message>
    <message>
        <source>pair {number} of at most {pairs}</source>
        <translation>第 {number} 对（最多 {pairs} 对）</translation>
    </message>
    <message>
        <source>pair {number} of {pairs}</source>
        <translation>第 {number} 对（共 {pairs} 对）</translation>
    </message>
    <message>
        <source>partly cached</source>
        <translation>部分已缓存</translation>
    </message>
    <message>
        <source>partly cached runs</source>
        <translation>次部分缓存的运行</translation>
    </message>
    <message>
        <source>path</source>
        <translation>路径</translation>
    </message>
    <message>
        <source>peak memory</source>
        <translation>峰值内存</translation>
    </message>
    <message>
        <source>peak {size}</source>
        <translation>峰值 {size}</translation>
    </message>
    <message>
        <source>pending</source>
        <translation>待进行</translation>
    </message>
    <message>
        <source>per s</source>
        <translation>次/秒</translation>
    </message>
    <message>
        <source>per-tensor overhead</source>
        <translation>逐张量开销</translation>
    </message>
    <message>
        <source>places were read more than once, which caches may speed up</source>
        <translation>有些位置读取了不止一次，缓存可能使其加快</translation>
    </message>
    <message>
        <source>plan {time}</source>
        <translation>规划 {time}</translation>
    </message>
    <message>
        <source>possible</source>
        <translation>可能</translation>
    </message>
    <message>
        <source>possible: {time}</source>
        <translation>可能：{time}</translation>
    </message>
    <message>
        <source>prepared before</source>
        <translation>事先已准备</translation>
    </message>
    <message>
        <source>prepared with</source>
        <translation>准备命令</translation>
    </message>
    <message>
        <source>preparing memory {time}</source>
        <translation>内存预处理 {time}</translation>
    </message>
    <message>
        <source>preparing weights</source>
        <translation>准备权重</translation>
    </message>
    <message>
        <source>pressure</source>
        <translation>压力</translation>
    </message>
    <message>
        <source>private</source>
        <translation>私有</translation>
    </message>
    <message>
        <source>private copy</source>
        <translation>私有副本</translation>
    </message>
    <message>
        <source>problem</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>profiling memory</source>
        <translation>测量内存</translation>
    </message>
    <message>
        <source>py-spy saw nothing: {reason}</source>
        <translation>py-spy 未能采样：{reason}</translation>
    </message>
    <message>
        <source>queue {queue_depth}</source>
        <translation>队列 {queue_depth}</translation>
    </message>
    <message>
        <source>random 4 KiB {p50}, at most {bytes_rate}</source>
        <translation>随机 4 KiB {p50}，最高 {bytes_rate}</translation>
    </message>
    <message>
        <source>rank {rank}/{ranks}</source>
        <translation>并行秩 {rank}/{ranks}</translation>
    </message>
    <message>
        <source>rate</source>
        <translation>速率</translation>
    </message>
    <message>
        <source>read</source>
        <translation>读取</translation>
    </message>
    <message>
        <source>read twice</source>
        <translation>重读</translation>
    </message>
    <message>
        <source>read {time}</source>
        <translation>读取 {time}</translation>
    </message>
    <message>
        <source>readahead</source>
        <translation>预读</translation>
    </message>
    <message>
        <source>readahead {readahead}</source>
        <translation>预读 {readahead}</translation>
    </message>
    <message>
        <source>reader</source>
        <translation>读取器</translation>
    </message>
    <message>
        <source>reading</source>
        <translation>读取</translation>
    </message>
    <message>
        <source>reading ahead</source>
        <translation>预读</translation>
    </message>
    <message>
        <source>reading headers and vocabulary</source>
        <translation>读取文件头和词表</translation>
    </message>
    <message>
        <source>reading time</source>
        <translation>读取时间</translation>
    </message>
    <message>
        <source>reading, {phase}</source>
        <translation>读取，{phase}</translation>
    </message>
    <message>
        <source>reads ahead with threads, then maps</source>
        <translation>先用多个线程预读，再映射</translation>
    </message>
    <message>
        <source>reads bypass the page cache: there is no warm start</source>
        <translation>读取绕过页缓存：没有热启动</translation>
    </message>
    <message>
        <source>reads into private memory</source>
        <translation>读入私有内存</translation>
    </message>
    <message>
        <source>reads the files {factor} times over and waits {waiting} of the time</source>
        <translation>读取了文件大小 {factor} 倍的数据，并有 {waiting} 的时间在等待</translation>
    </message>
    <message>
        <source>reads {size} from storage</source>
        <translation>从存储读取 {size}</translation>
    </message>
    <message>
        <source>ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>ready {time}</source>
        <translation>就绪 {time}</translation>
    </message>
    <message>
        <source>repacking weights</source>
        <translation>重排权重</translation>
    </message>
    <message>
        <source>repeated reads</source>
        <translation>重复读取</translation>
    </message>
    <message>
        <source>reported as non-rotational</source>
        <translation>自称为非旋转式</translation>
    </message>
    <message>
        <source>reported as rotational</source>
        <translation>自称为旋转式</translation>
    </message>
    <message>
        <source>requests are only {size} each</source>
        <translation>每个请求只有 {size}</translation>
    </message>
    <message>
        <source>requests of {size}</source>
        <translation>{size} 的请求</translation>
    </message>
    <message>
        <source>requests up to {request}</source>
        <translation>请求最大 {request}</translation>
    </message>
    <message>
        <source>rereads {again} because memory is full</source>
        <translation>因内存放不下而重读了 {again}</translation>
    </message>
    <message>
        <source>reserving buffers</source>
        <translation>预留缓冲区</translation>
    </message>
    <message>
        <source>rotational, {bus}</source>
        <translation>旋转式，{bus}</translation>
    </message>
    <message>
        <source>round {value}, run {active} of {active2}</source>
        <translation>第 {value} 轮，第 {active} 次运行（共 {active2} 次）</translation>
    </message>
    <message>
        <source>ruled out</source>
        <translation>已排除</translation>
    </message>
    <message>
        <source>run {number}</source>
        <translation>运行 {number}</translation>
    </message>
    <message>
        <source>run {number} of this window, {strategy}</source>
        <translation>本窗口的运行 {number}，{strategy}</translation>
    </message>
    <message>
        <source>run {number}, {strategy}</source>
        <translation>运行 {number}，{strategy}</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>runs so far</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>runs, cache state unknown</source>
        <translation>次缓存状态未知的运行</translation>
    </message>
    <message>
        <source>runs, cold here</source>
        <translation>次本机冷启动运行</translation>
    </message>
    <message>
        <source>safetensors</source>
        <translation>safetensors</translation>
    </message>
    <message>
        <source>safetensors 0.8</source>
        <translation>safetensors 0.8</translation>
    </message>
    <message>
        <source>safetensors in a component&apos;s folder with a diffusers config.json</source>
        <translation>组件文件夹中的 safetensors，附 diffusers 的 config.json</translation>
    </message>
    <message>
        <source>safetensors in a folder with a transformers config.json</source>
        <translation>文件夹中的 safetensors，附 transformers 的 config.json</translation>
    </message>
    <message>
        <source>safetensors, GGUF, sharded models, or Hugging Face snapshots. Opening reads only headers.</source>
        <translation>safetensors、GGUF、分片模型或 Hugging Face 快照。打开时只读取文件头。</translation>
    </message>
    <message>
        <source>safetensors/safetensors#562; sgl-project/sglang#37806 (Lustre: 28 MiB/s by page faults)</source>
        <translation>safetensors/safetensors#562；sgl-project/sglang#37806（Lustre：靠缺页读取时 28 MiB/s）</translation>
    </message>
    <message>
        <source>saved</source>
        <translation>已保存</translation>
    </message>
    <message>
        <source>saved comparison</source>
        <translation>已保存的对比</translation>
    </message>
    <message>
        <source>scalar</source>
        <translation>标量</translation>
    </message>
    <message>
        <source>sched-bwc.rst in the kernel&apos;s Documentation/scheduler</source>
        <translation>内核 Documentation/scheduler 中的 sched-bwc.rst</translation>
    </message>
    <message>
        <source>scheduler {scheduler}</source>
        <translation>调度器 {scheduler}</translation>
    </message>
    <message>
        <source>selected</source>
        <translation>已选</translation>
    </message>
    <message>
        <source>several connections share the load</source>
        <translation>多个连接分担负载</translation>
    </message>
    <message>
        <source>shape {shape} is too large for any file.</source>
        <translation>形状 {shape} 大到任何文件都放不下。</translation>
    </message>
    <message>
        <source>shared</source>
        <translation>共享</translation>
    </message>
    <message>
        <source>shared descriptor</source>
        <translation>共用描述符</translation>
    </message>
    <message>
        <source>shared limit</source>
        <translation>共享上限</translation>
    </message>
    <message>
        <source>shared, read ahead first</source>
        <translation>共用,先预读</translation>
    </message>
    <message>
        <source>size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>size, time of writing or inode differ from before</source>
        <translation>大小、写入时间或 inode 与之前不同</translation>
    </message>
    <message>
        <source>slowed for heat {throttle_events} times since boot</source>
        <translation>启动以来因过热降速 {throttle_events} 次</translation>
    </message>
    <message>
        <source>so far</source>
        <translation>已用时</translation>
    </message>
    <message>
        <source>spends {first} and {second}</source>
        <translation>有 {first}，{second}</translation>
    </message>
    <message>
        <source>spends {part}; the rest is unknown</source>
        <translation>有 {part}；其余不明</translation>
    </message>
    <message>
        <source>spends {share} of the time in {who}&apos;s own code</source>
        <translation>有 {share} 的时间在运行{who}自身的代码</translation>
    </message>
    <message>
        <source>spends {share} of the time on {faults} page faults, {each} each</source>
        <translation>有 {share} 的时间用于 {faults} 次缺页，每次 {each}</translation>
    </message>
    <message>
        <source>spends {share} of the time on {tensors} tensors, {each} each</source>
        <translation>有 {share} 的时间用于 {tensors} 个张量，每个 {each}</translation>
    </message>
    <message>
        <source>spends {share} of the wait {phase}</source>
        <translation>{share} 的等待时间用于{phase}</translation>
    </message>
    <message>
        <source>ssh asks</source>
        <translation>ssh 询问</translation>
    </message>
    <message>
        <source>ssh://user@host/path</source>
        <translation>ssh://user@host/path</translation>
    </message>
    <message>
        <source>sshfs with 10 ms round trips: 21 MB/s by one reader, 77 MB/s by four</source>
        <translation>往返 10 ms 的 sshfs：一个读取器 21 MB/s，四个 77 MB/s</translation>
    </message>
    <message>
        <source>starred</source>
        <translation>已加星标</translation>
    </message>
    <message>
        <source>start</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>start neither cold nor warm</source>
        <translation>启动状态既非冷也非热</translation>
    </message>
    <message>
        <source>start to ready</source>
        <translation>从启动到就绪</translation>
    </message>
    <message>
        <source>start-up {time}</source>
        <translation>启动 {time}</translation>
    </message>
    <message>
        <source>starting and importing</source>
        <translation>启动和导入</translation>
    </message>
    <message>
        <source>starting devices</source>
        <translation>启动设备</translation>
    </message>
    <message>
        <source>starting the engine</source>
        <translation>启动引擎</translation>
    </message>
    <message>
        <source>starting the server</source>
        <translation>启动服务</translation>
    </message>
    <message>
        <source>starts</source>
        <translation>启动中</translation>
    </message>
    <message>
        <source>starts at least {count} processes</source>
        <translation>启动至少 {count} 个进程</translation>
    </message>
    <message>
        <source>stopping</source>
        <translation>正在停止</translation>
    </message>
    <message>
        <source>storage</source>
        <translation>存储</translation>
    </message>
    <message>
        <source>storage bandwidth</source>
        <translation>存储带宽</translation>
    </message>
    <message>
        <source>storage is at its limit</source>
        <translation>存储已达上限</translation>
    </message>
    <message>
        <source>storage latency</source>
        <translation>存储延迟</translation>
    </message>
    <message>
        <source>storage limit</source>
        <translation>设备能力</translation>
    </message>
    <message>
        <source>storage type unknown</source>
        <translation>存储类型未知</translation>
    </message>
    <message>
        <source>streamed through a small buffer</source>
        <translation>经由小缓冲区流过</translation>
    </message>
    <message>
        <source>swapped in</source>
        <translation>换入</translation>
    </message>
    <message>
        <source>swapped out</source>
        <translation>换出</translation>
    </message>
    <message>
        <source>system</source>
        <translation>内核态</translation>
    </message>
    <message>
        <source>system CPU</source>
        <translation>系统态 CPU</translation>
    </message>
    <message>
        <source>systemd</source>
        <translation>systemd</translation>
    </message>
    <message>
        <source>takes the model from memory; a faster disk won&apos;t help</source>
        <translation>从内存中取得模型；更快的磁盘没有帮助</translation>
    </message>
    <message>
        <source>tasks waited for memory {stalled} of the time</source>
        <translation>任务等待内存的时间占 {stalled}</translation>
    </message>
    <message>
        <source>tensor {names}: {problem}</source>
        <translation>张量 {names}: {problem}</translation>
    </message>
    <message>
        <source>tensor {names}: {reason}.</source>
        <translation>张量 {names}: {reason}.</translation>
    </message>
    <message>
        <source>tensor {name} has {field} twice.</source>
        <translation>张量 {name} 的 {field} 出现了两次。</translation>
    </message>
    <message>
        <source>tensor {name} starts at byte {offset}, inside the tensor before it, which ends at {end}.</source>
        <translation>张量 {name} 从第 {offset} 字节开始，位于前一个张量之内，而后者在 {end} 处结束。</translation>
    </message>
    <message>
        <source>tensor {name}: n_dimensions is {dimensions}; at most {max_dimensions} is possible.</source>
        <translation>张量 {name}：n_dimensions 为 {dimensions}；最多为 {max_dimensions}。</translation>
    </message>
    <message>
        <source>tensor {name}: offset is {offset}; multiples of the alignment {alignment} are possible.</source>
        <translation>张量 {name}：偏移是 {offset}；须是对齐值 {alignment} 的倍数。</translation>
    </message>
    <message>
        <source>tensor {name}: shape {shape} cannot be {kind}, which packs rows in groups of {block_values} values.</source>
        <translation>张量 {name}：形状 {shape} 不能是 {kind}，它把每行按 {block_values} 个值分组存放。</translation>
    </message>
    <message>
        <source>tensor {name}: shape {shape} is too large for any file.</source>
        <translation>张量 {name}：形状 {shape} 大到任何文件都放不下。</translation>
    </message>
    <message>
        <source>tensor {name}: type is {number}, {removed}, which llama.cpp removed.</source>
        <translation>张量 {name}：类型为 {number}，即 {removed}，llama.cpp 已移除该类型。</translation>
    </message>
    <message>
        <source>tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>tensors {tensors}</source>
        <translation>张量 {tensors} 个</translation>
    </message>
    <message>
        <source>testing GPU-to-GPU access</source>
        <translation>测试 GPU 间访问</translation>
    </message>
    <message>
        <source>the array {key}</source>
        <translation>数组 {key}</translation>
    </message>
    <message>
        <source>the call is refused, as some containers do: {reason}</source>
        <translation>调用被拒绝，某些容器会这样：{reason}</translation>
    </message>
    <message>
        <source>the disk</source>
        <translation>磁盘</translation>
    </message>
    <message>
        <source>the file begins with zeros only: an unfinished or damaged copy.</source>
        <translation>文件开头全是零：这是未完成或损坏的副本。</translation>
    </message>
    <message>
        <source>the file belongs to another user</source>
        <translation>文件属于其他用户</translation>
    </message>
    <message>
        <source>the file is big-endian GGUF, for another kind of processor.</source>
        <translation>这是大端序 GGUF，用于另一类处理器。</translation>
    </message>
    <message>
        <source>the file is cut off within its first {n} bytes.</source>
        <translation>文件在开头的 {n} 字节内被截断。</translation>
    </message>
    <message>
        <source>the file is cut off within its header, which ends at byte {end}; the file has {size} bytes.</source>
        <translation>文件在其头部内被截断，头部应在字节 {end} 处结束；文件有 {size} 字节。</translation>
    </message>
    <message>
        <source>the file is cut off within its header: {what} takes {nbytes} bytes at byte {offset}, {left} are left.</source>
        <translation>文件在文件头内被截断：{what}在第 {offset} 字节处需要 {nbytes} 字节，只剩 {left} 字节。</translation>
    </message>
    <message>
        <source>the file is cut off: its header describes {end} ({end2} bytes), the file has {size} ({file_size} bytes).</source>
        <translation>文件被截断：文件头描述了 {end}（{end2} 字节），而文件只有 {size}（{file_size} 字节）。</translation>
    </message>
    <message>
        <source>the file is empty</source>
        <translation>文件为空</translation>
    </message>
    <message>
        <source>the file is empty.</source>
        <translation>文件是空的。</translation>
    </message>
    <message>
        <source>the file is not open</source>
        <translation>文件未打开</translation>
    </message>
    <message>
        <source>the filesystem is {filesystem}</source>
        <translation>文件系统为 {filesystem}</translation>
    </message>
    <message>
        <source>the header has {name} twice.</source>
        <translation>头部中 {name} 出现了两次。</translation>
    </message>
    <message>
        <source>the header is not a JSON object: {reason}.</source>
        <translation>文件头不是 JSON 对象：{reason}。</translation>
    </message>
    <message>
        <source>the header length is {length}; from 2 to {possible} is possible.</source>
        <translation>文件头长度是 {length}；可能的范围是 2 到 {possible}。</translation>
    </message>
    <message>
        <source>the header length needs {length} bytes, the file has {size}.</source>
        <translation>文件头长度字段需要 {length} 字节，而文件只有 {size} 字节。</translation>
    </message>
    <message>
        <source>the index has {size} bytes; at most {max_index} are possible.</source>
        <translation>索引有 {size} 字节，最多可能为 {max_index}。</translation>
    </message>
    <message>
        <source>the item type of {what}</source>
        <translation>{what} 的元素类型</translation>
    </message>
    <message>
        <source>the kernel doesn&apos;t report it: {reason}</source>
        <translation>内核不报告：{reason}</translation>
    </message>
    <message>
        <source>the kernel is older than 6.5</source>
        <translation>内核早于 6.5</translation>
    </message>
    <message>
        <source>the kernel traces no reads of this filesystem</source>
        <translation>内核不跟踪此文件系统的读取</translation>
    </message>
    <message>
        <source>the kernel&apos;s trace: each page and each direct read</source>
        <translation>内核跟踪：每一页和每次直接读取</translation>
    </message>
    <message>
        <source>the kernel&apos;s tracing can&apos;t be used: {reason}</source>
        <translation>无法使用内核的跟踪功能：{reason}</translation>
    </message>
    <message>
        <source>the kernel&apos;s tracing needs root</source>
        <translation>内核的跟踪功能需要 root 权限</translation>
    </message>
    <message>
        <source>the length of {what}</source>
        <translation>{what} 的长度</translation>
    </message>
    <message>
        <source>the length of {what} is {length} at byte {offset}; at most {possible} is possible.</source>
        <translation>字节 {offset} 处，{what}的长度为 {length}；最多为 {possible}。</translation>
    </message>
    <message>
        <source>the library</source>
        <translation>该库</translation>
    </message>
    <message>
        <source>the machine ran out of memory</source>
        <translation>机器内存耗尽</translation>
    </message>
    <message>
        <source>the magic</source>
        <translation>魔数</translation>
    </message>
    <message>
        <source>the model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>the model doesn&apos;t fit in {usable} of memory</source>
        <translation>模型放不进 {usable} 的内存</translation>
    </message>
    <message>
        <source>the most that one read asks the cluster for</source>
        <translation>单次读取向集群请求的上限</translation>
    </message>
    <message>
        <source>the most that one read asks the host for</source>
        <translation>单次读取向宿主机请求的上限</translation>
    </message>
    <message>
        <source>the most that one read asks the server for</source>
        <translation>单次读取向服务器请求的上限</translation>
    </message>
    <message>
        <source>the most that one read asks the serving program for</source>
        <translation>单次读取向提供程序请求的上限</translation>
    </message>
    <message>
        <source>the mount</source>
        <translation>挂载点</translation>
    </message>
    <message>
        <source>the name of tensor {number} is not UTF-8: {raw}.</source>
        <translation>第 {number} 个张量的名称不是 UTF-8：{raw}。</translation>
    </message>
    <message>
        <source>the name {name} has {count} characters; at most {most} are possible.</source>
        <translation>名称 {name} 有 {count} 个字符，最多可能为 {most}。</translation>
    </message>
    <message>
        <source>the program</source>
        <translation>该程序</translation>
    </message>
    <message>
        <source>the program&apos;s counters: a total, without blocks</source>
        <translation>程序的计数器：只有总量，没有各块</translation>
    </message>
    <message>
        <source>the server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>the server doesn&apos;t answer</source>
        <translation>服务进程没有响应</translation>
    </message>
    <message>
        <source>the server ended</source>
        <translation>服务进程已结束</translation>
    </message>
    <message>
        <source>the system refuses cachestat and mincore, as some containers do</source>
        <translation>系统拒绝 cachestat 和 mincore，某些容器会这样</translation>
    </message>
    <message>
        <source>the text of {key}</source>
        <translation>{key} 的文本</translation>
    </message>
    <message>
        <source>the type of {key}</source>
        <translation>{key} 的类型</translation>
    </message>
    <message>
        <source>the type of {what} is {kind}; possible are {names}, {text} string.</source>
        <translation>{what}的类型是 {kind}；可能的有 {names}, {text} string。</translation>
    </message>
    <message>
        <source>the value of {key}</source>
        <translation>{key} 的值</translation>
    </message>
    <message>
        <source>the whole model doesn&apos;t fit in {usable} of memory</source>
        <translation>{usable} 内存放不下整个模型</translation>
    </message>
    <message>
        <source>there are no bytes to look at</source>
        <translation>没有可查看的数据</translation>
    </message>
    <message>
        <source>this is GGML, the format before GGUF.</source>
        <translation>这是 GGML，即 GGUF 之前的格式。</translation>
    </message>
    <message>
        <source>this is HDF5.</source>
        <translation>这是 HDF5。</translation>
    </message>
    <message>
        <source>this is a Git LFS pointer, a short text that stands for the real file.</source>
        <translation>这是 Git LFS 指针，只是代表真实文件的一小段文本。</translation>
    </message>
    <message>
        <source>this is a Keras model.</source>
        <translation>这是 Keras 模型。</translation>
    </message>
    <message>
        <source>this is a LiteRT (TensorFlow Lite) bundle.</source>
        <translation>这是 LiteRT（TensorFlow Lite）包。</translation>
    </message>
    <message>
        <source>this is a NumPy archive (.npz).</source>
        <translation>这是 NumPy 归档（.npz）。</translation>
    </message>
    <message>
        <source>this is a PyTorch pickle, which can run code when it is loaded.</source>
        <translation>这是 PyTorch pickle，加载时可能运行代码。</translation>
    </message>
    <message>
        <source>this is a git-annex pointer, a short text that stands for the real file.</source>
        <translation>这是 git-annex 指针，即代替真正文件的一小段文本。</translation>
    </message>
    <message>
        <source>this is a tar archive.</source>
        <translation>这是 tar 归档。</translation>
    </message>
    <message>
        <source>this is a zip archive.</source>
        <translation>这是 zip 归档。</translation>
    </message>
    <message>
        <source>this is an archive.</source>
        <translation>这是归档文件。</translation>
    </message>
    <message>
        <source>this is an error message, not an index: &quot;{reason}&quot;.</source>
        <translation>这是代替索引的错误消息：“{reason}”。</translation>
    </message>
    <message>
        <source>this is an unfinished download.</source>
        <translation>这是未完成的下载。</translation>
    </message>
    <message>
        <source>this is compressed with {program}.</source>
        <translation>这是用 {program} 压缩的。</translation>
    </message>
    <message>
        <source>this is neither safetensors nor GGUF; it begins with {start}.</source>
        <translation>这既不是 safetensors 也不是 GGUF；它以 {start} 开头。</translation>
    </message>
    <message>
        <source>this is not an index of safetensors shards: {reason}.</source>
        <translation>这不是 safetensors 分片的索引：{reason}。</translation>
    </message>
    <message>
        <source>this is one NumPy array.</source>
        <translation>这是单个 NumPy 数组。</translation>
    </message>
    <message>
        <source>this is part of {whole}, which was cut into files.</source>
        <translation>这是 {whole} 的一部分，它被切成了多个文件。</translation>
    </message>
    <message>
        <source>this is text, not a model: &quot;{reason}&quot;.</source>
        <translation>这是代替模型的文本：“{reason}”。</translation>
    </message>
    <message>
        <source>this isn&apos;t one safetensors file.</source>
        <translation>这不是单个 safetensors 文件。</translation>
    </message>
    <message>
        <source>this kernel has no tracing of its page cache</source>
        <translation>此内核无法跟踪页缓存</translation>
    </message>
    <message>
        <source>this load</source>
        <translation>此加载</translation>
    </message>
    <message>
        <source>this machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>this process may use {usable}</source>
        <translation>此进程可用 {usable} 个</translation>
    </message>
    <message>
        <source>thousand/s</source>
        <translation>千次/秒</translation>
    </message>
    <message>
        <source>throttled storage</source>
        <translation>存储受限</translation>
    </message>
    <message>
        <source>throughput</source>
        <translation>吞吐量</translation>
    </message>
    <message>
        <source>throughput so far</source>
        <translation>目前平均吞吐量</translation>
    </message>
    <message>
        <source>tight: {figures}, less than the usual 1.5× the model</source>
        <translation>较紧张：{figures}，余量少于经验法则的模型 1.5 倍</translation>
    </message>
    <message>
        <source>time</source>
        <translation>用时</translation>
    </message>
    <message>
        <source>time since start</source>
        <translation>启动后的时间</translation>
    </message>
    <message>
        <source>time since start, separate scales</source>
        <translation>启动后的时间，刻度分开</translation>
    </message>
    <message>
        <source>time until ready</source>
        <translation>就绪所需时间</translation>
    </message>
    <message>
        <source>today, {clock}</source>
        <translation>今天 {clock}</translation>
    </message>
    <message>
        <source>together</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>too early to tell</source>
        <translation>尚无法判断</translation>
    </message>
    <message>
        <source>too few measurements</source>
        <translation>测量数据太少</translation>
    </message>
    <message>
        <source>took</source>
        <translation>用时</translation>
    </message>
    <message>
        <source>took {wall}; the figures don&apos;t show why</source>
        <translation>用时 {wall}；从数据中看不出原因</translation>
    </message>
    <message>
        <source>total</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>touched</source>
        <translation>已触及</translation>
    </message>
    <message>
        <source>tryMmap: before September 2026. tryDirectIO: February 2026</source>
        <translation>tryMmap：2026 年 9 月之前。tryDirectIO：2026 年 2 月</translation>
    </message>
    <message>
        <source>tuning kernels</source>
        <translation>调优内核</translation>
    </message>
    <message>
        <source>two tensors are called {name}.</source>
        <translation>有两个张量都名为 {name}。</translation>
    </message>
    <message>
        <source>typical values of such storage</source>
        <translation>此类存储的典型值</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>unknown kind</source>
        <translation>类型未知</translation>
    </message>
    <message>
        <source>unknown: this storage doesn&apos;t count what it delivers</source>
        <translation>未知：该存储不统计所提供的数据量</translation>
    </message>
    <message>
        <source>unknown: {why}</source>
        <translation>未知：{why}</translation>
    </message>
    <message>
        <source>unplugged</source>
        <translation>未接电源</translation>
    </message>
    <message>
        <source>unsupported dtype {dtype}. Supported: {known}.</source>
        <translation>不支持的 dtype {dtype}。支持：{known}。</translation>
    </message>
    <message>
        <source>until it failed</source>
        <translation>直到失败</translation>
    </message>
    <message>
        <source>until it was stopped</source>
        <translation>直到被停止</translation>
    </message>
    <message>
        <source>until ready</source>
        <translation>直到就绪</translation>
    </message>
    <message>
        <source>until “{line}”</source>
        <translation>直到输出“{line}”</translation>
    </message>
    <message>
        <source>untouched</source>
        <translation>未触及</translation>
    </message>
    <message>
        <source>usable: in memory; owned: private copy; streamed: small buffer; decoded: float32; untouched: perhaps unread. Must match in A and B.</source>
        <translation>usable：在内存中；owned：私有副本；streamed：小缓冲区；decoded：float32；untouched：可能未读取。A 与 B 必须一致。</translation>
    </message>
    <message>
        <source>user</source>
        <translation>用户态</translation>
    </message>
    <message>
        <source>user CPU</source>
        <translation>用户态 CPU</translation>
    </message>
    <message>
        <source>usually {time}</source>
        <translation>通常 {time}</translation>
    </message>
    <message>
        <source>verified</source>
        <translation>已验证</translation>
    </message>
    <message>
        <source>version {number}</source>
        <translation>版本 {number}</translation>
    </message>
    <message>
        <source>virtual disk</source>
        <translation>虚拟磁盘</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>waiting for a free processor</source>
        <translation>等待空闲的处理器</translation>
    </message>
    <message>
        <source>waiting for a processor</source>
        <translation>等待处理器</translation>
    </message>
    <message>
        <source>waiting for memory</source>
        <translation>等待内存</translation>
    </message>
    <message>
        <source>waiting for the network</source>
        <translation>等待网络</translation>
    </message>
    <message>
        <source>waiting for {storage_name}</source>
        <translation>等待{storage_name}</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>waits for a free processor {share} of the time</source>
        <translation>{share} 的时间在等待空闲的处理器</translation>
    </message>
    <message>
        <source>waits for free memory {stalled} of the time</source>
        <translation>有 {stalled} 的时间在等待空闲内存</translation>
    </message>
    <message>
        <source>waits for responses {waiting} of the time: {sign}</source>
        <translation>有 {waiting} 的时间在等待应答：{sign}</translation>
    </message>
    <message>
        <source>waits for storage {share} of the time</source>
        <translation>{share} 的时间在等待存储</translation>
    </message>
    <message>
        <source>waits for the lock of a file {share} of the time</source>
        <translation>{share} 的时间在等待文件锁</translation>
    </message>
    <message>
        <source>waits for the network {share} of the time</source>
        <translation>{share} 的时间在等待网络</translation>
    </message>
    <message>
        <source>waits for {storage_name} {waited} of the time, at {share} of the {best} reached here</source>
        <translation>有 {waited} 的时间在等待{storage_name}，只得到此处曾达到的 {best} 的 {share}</translation>
    </message>
    <message>
        <source>waits for {storage_name} {waited} of the time; bandwidth or latency unclear</source>
        <translation>有 {waited} 的时间在等待{storage_name}；原因是带宽还是延迟尚不清楚</translation>
    </message>
    <message>
        <source>waits for {storage_name} {waited} of the time; other programs use it too</source>
        <translation>有 {waited} 的时间在等待{storage_name}；其他程序也在使用它</translation>
    </message>
    <message>
        <source>waits {queued} of the time for a free processor, using {used} of all</source>
        <translation>有 {queued} 的时间在等待空闲处理器，自身只用了全部的 {used}</translation>
    </message>
    <message>
        <source>warm</source>
        <translation>热启动</translation>
    </message>
    <message>
        <source>warm runs</source>
        <translation>热启动运行</translation>
    </message>
    <message>
        <source>warm start</source>
        <translation>热启动</translation>
    </message>
    <message>
        <source>warm starts, run {active} of {active2}</source>
        <translation>热启动，第 {active} 次运行（共 {active2} 次）</translation>
    </message>
    <message>
        <source>warm-up {time}</source>
        <translation>预热 {time}</translation>
    </message>
    <message>
        <source>warming up</source>
        <translation>预热</translation>
    </message>
    <message>
        <source>was killed by the kernel: {whose}. Free memory or raise the limit</source>
        <translation>被内核终止：{whose}。请释放内存或提高限制</translation>
    </message>
    <message>
        <source>was stopped by signal {code}</source>
        <translation>被信号 {code} 终止</translation>
    </message>
    <message>
        <source>watching a program</source>
        <translation>正在观察程序</translation>
    </message>
    <message>
        <source>weight_map is empty.</source>
        <translation>weight_map 是空的。</translation>
    </message>
    <message>
        <source>weight_map names {name}; only .safetensors files in the index&apos;s folder or below it are possible.</source>
        <translation>weight_map 中有 {name}；只能是索引所在文件夹或其下的 .safetensors 文件。</translation>
    </message>
    <message>
        <source>whether files may lie in huge pages</source>
        <translation>文件是否可以使用大页</translation>
    </message>
    <message>
        <source>while reading</source>
        <translation>读取期间</translation>
    </message>
    <message>
        <source>whole load</source>
        <translation>整次加载</translation>
    </message>
    <message>
        <source>with another model in this place</source>
        <translation>以此处的另一个模型</translation>
    </message>
    <message>
        <source>with the cache as it was</source>
        <translation>（缓存保持原样）</translation>
    </message>
    <message>
        <source>with the command {then} before each</source>
        <translation>每次都先执行了命令 {then}</translation>
    </message>
    <message>
        <source>within {time} of each other, by the nodes&apos; own clocks</source>
        <translation>按各节点自己的时钟，彼此相差不超过 {time}</translation>
    </message>
    <message>
        <source>without a command before them</source>
        <translation>之前没有执行命令</translation>
    </message>
    <message>
        <source>works</source>
        <translation>可用</translation>
    </message>
    <message>
        <source>writing the sample</source>
        <translation>正在写入示例模型</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>yesterday, {clock}</source>
        <translation>昨天 {clock}</translation>
    </message>
    <message>
        <source>{address} isn&apos;t an address.</source>
        <translation>{address} 不是地址。</translation>
    </message>
    <message>
        <source>{address}: {now}, could do {could}</source>
        <translation>{address}：{now}，本可达到 {could}</translation>
    </message>
    <message>
        <source>{address}: {now}, possible {most}</source>
        <translation>{address}：{now}，可达 {most}</translation>
    </message>
    <message>
        <source>{after} thermal throttle events</source>
        <translation>{after} 次过热降频</translation>
    </message>
    <message>
        <source>{after}, {share} of the time</source>
        <translation>{after}，占时间的 {share}</translation>
    </message>
    <message>
        <source>{again} was read twice</source>
        <translation>{again} 被重新读取</translation>
    </message>
    <message>
        <source>{age} ago</source>
        <translation>{age} 前</translation>
    </message>
    <message>
        <source>{amount} ({where})</source>
        <translation>{amount}（{where}）</translation>
    </message>
    <message>
        <source>{amount}; the rest was never read before it was ready</source>
        <translation>{amount}；其余部分在就绪之前从未读取</translation>
    </message>
    <message>
        <source>{arm} at {time}</source>
        <translation>{arm}，{time} 时</translation>
    </message>
    <message>
        <source>{arm} done {time}</source>
        <translation>{arm} 完成 {time}</translation>
    </message>
    <message>
        <source>{arm} failed {time}</source>
        <translation>{arm} 失败 {time}</translation>
    </message>
    <message>
        <source>{arm} failed: {why}</source>
        <translation>{arm} 失败：{why}</translation>
    </message>
    <message>
        <source>{arm} ready</source>
        <translation>{arm} 就绪</translation>
    </message>
    <message>
        <source>{arm} request</source>
        <translation>{arm} 请求</translation>
    </message>
    <message>
        <source>{arm} shows a recorded run of {model}.</source>
        <translation>{arm} 显示 {model} 的一次已记录运行。</translation>
    </message>
    <message>
        <source>{arm} shows a recorded run of {model}: {strategy}.</source>
        <translation>{arm} 显示 {model} 的一次已记录运行：{strategy}。</translation>
    </message>
    <message>
        <source>{arm} stopped {time}</source>
        <translation>{arm} 已停止 {time}</translation>
    </message>
    <message>
        <source>{arm} took {time}, {rate}.</source>
        <translation>{arm} 用时 {time}，{rate}。</translation>
    </message>
    <message>
        <source>{arm} took {time}.</source>
        <translation>{arm} 用时 {time}。</translation>
    </message>
    <message>
        <source>{arm} uses untouched, which can&apos;t be compared. Run it alone, or choose another delivery.</source>
        <translation>{arm} 的交付方式是 untouched，无法对比：请单独运行，或选择其他交付方式。</translation>
    </message>
    <message>
        <source>{arm} wasn&apos;t measured.</source>
        <translation>{arm} 未测量。</translation>
    </message>
    <message>
        <source>{arm} {clause}.</source>
        <translation>{arm} {clause}。</translation>
    </message>
    <message>
        <source>{arm}&apos;s command comes from a file. Read it first: Edit on its card.</source>
        <translation>{arm} 的命令来自文件。请先在其卡片上点“编辑”查看。</translation>
    </message>
    <message>
        <source>{arm}, in its median run, {clause}.</source>
        <translation>{arm} 在中位运行中{clause}。</translation>
    </message>
    <message>
        <source>{arm}, {time}</source>
        <translation>{arm}，{time}</translation>
    </message>
    <message>
        <source>{arm}: {value}</source>
        <translation>{arm}：{value}</translation>
    </message>
    <message>
        <source>{arm}: {warning}</source>
        <translation>{arm}：{warning}</translation>
    </message>
    <message>
        <source>{available} of {total} available</source>
        <translation>可用 {available}，共 {total}</translation>
    </message>
    <message>
        <source>{axis}, differs from the other strategy</source>
        <translation>{axis}，与另一策略不同</translation>
    </message>
    <message>
        <source>{best} for this model.</source>
        <translation>此模型{best}。</translation>
    </message>
    <message>
        <source>{block}/block: {spent}; {seeks}</source>
        <translation>每块 {block}：{spent}；{seeks}</translation>
    </message>
    <message>
        <source>{busy} busy</source>
        <translation>忙碌 {busy}</translation>
    </message>
    <message>
        <source>{busy} busy, reads {read}, while modelmon did nothing</source>
        <translation>modelmon 空闲时，忙碌 {busy}，读取 {read}</translation>
    </message>
    <message>
        <source>{busy} busy, reads {read}, writes {written}, while modelmon did nothing</source>
        <translation>modelmon 空闲时，忙碌 {busy}，读取 {read}，写入 {written}</translation>
    </message>
    <message>
        <source>{busy}, mostly in the kernel</source>
        <translation>{busy}，主要在内核中</translation>
    </message>
    <message>
        <source>{bytes_rate} measured, {limit} possible for this connection</source>
        <translation>读取达 {bytes_rate}，而按设备的连接方式最高为 {limit}</translation>
    </message>
    <message>
        <source>{bytes} from storage again</source>
        <translation>再次从存储读取 {bytes}</translation>
    </message>
    <message>
        <source>{bytes} of the model left memory and came from storage again.</source>
        <translation>模型有 {bytes} 离开内存后又从存储读取。</translation>
    </message>
    <message>
        <source>{cached} of the bytes</source>
        <translation>字节的 {cached}</translation>
    </message>
    <message>
        <source>{cached} of the bytes, known by {cached_source}</source>
        <translation>占数据的 {cached}，由 {cached_source} 得知</translation>
    </message>
    <message>
        <source>{cached}; opening the file to check may have evicted more</source>
        <translation>{cached}；为查看而打开它可能使更多内容移出缓存</translation>
    </message>
    <message>
        <source>{call}, {how}</source>
        <translation>{call},{how}</translation>
    </message>
    <message>
        <source>{came} in, {went} out</source>
        <translation>换入 {came}，换出 {went}</translation>
    </message>
    <message>
        <source>{chance} likely the lowest memory of those fast enough</source>
        <translation>有 {chance} 的可能是足够快的策略中内存最少的</translation>
    </message>
    <message>
        <source>{chance} likely within {share} of the best</source>
        <translation>有 {chance} 的可能与最佳者相差不到 {share}</translation>
    </message>
    <message>
        <source>{change}: {time} instead of {other} ({likely}).</source>
        <translation>{change}：{time}，而不是 {other}（{likely}）。</translation>
    </message>
    <message>
        <source>{claim} (unreliable: {doubt})</source>
        <translation>{claim}（不可信：{doubt}）</translation>
    </message>
    <message>
        <source>{clause}: load settings hardly change that</source>
        <translation>{clause}：加载设置几乎改变不了这一点</translation>
    </message>
    <message>
        <source>{close} OMP_WAIT_POLICY=passive helps too: its threads then wait without keeping one busy.</source>
        <translation>{close}OMP_WAIT_POLICY=passive 也有帮助：其线程等待时不再占用处理器。</translation>
    </message>
    <message>
        <source>{cold} cold</source>
        <translation>冷启动 {cold}</translation>
    </message>
    <message>
        <source>{config} was measured with {model_name}, not with {name} as it is now. Another strategy may be faster here.</source>
        <translation>{config} 是用 {model_name} 测得的，而不是当前的 {name}；在这里其他策略可能更快。</translation>
    </message>
    <message>
        <source>{connections} connections</source>
        <translation>{connections} 个连接</translation>
    </message>
    <message>
        <source>{cores} cores</source>
        <translation>{cores} 个核心</translation>
    </message>
    <message>
        <source>{cores} cores busy</source>
        <translation>占满 {cores} 个核心</translation>
    </message>
    <message>
        <source>{cost}.</source>
        <translation>{cost}。</translation>
    </message>
    <message>
        <source>{count} CPUs</source>
        <translation>{count} 个 CPU</translation>
    </message>
    <message>
        <source>{count} billion</source>
        <translation>{count} B</translation>
    </message>
    <message>
        <source>{count} bytes</source>
        <translation>{count} 字节</translation>
    </message>
    <message>
        <source>{count} bytes at {offset}</source>
        <translation>{count} 字节，偏移 {offset}</translation>
    </message>
    <message>
        <source>{count} bytes of tensors</source>
        <translation>张量共 {count} 字节</translation>
    </message>
    <message>
        <source>{count} caveats</source>
        <translation>{count} 条注意事项</translation>
    </message>
    <message>
        <source>{count} in {blocks} blocks</source>
        <translation>{count} 个，分布于 {blocks} 个块</translation>
    </message>
    <message>
        <source>{count} loads</source>
        <translation>{count} 次加载</translation>
    </message>
    <message>
        <source>{count} loads from {storage}</source>
        <translation>来自 {storage} 的 {count} 次加载</translation>
    </message>
    <message>
        <source>{count} million</source>
        <translation>{count} M</translation>
    </message>
    <message>
        <source>{count} models</source>
        <translation>{count} 个模型</translation>
    </message>
    <message>
        <source>{count} models, {size}</source>
        <translation>{count} 个模型，{size}</translation>
    </message>
    <message>
        <source>{count} more couldn&apos;t be imported. See the log.</source>
        <translation>另有 {count} 份无法导入，请查看日志。</translation>
    </message>
    <message>
        <source>{count} more settings</source>
        <translation>另外 {count} 项设置</translation>
    </message>
    <message>
        <source>{count} more, and details…</source>
        <translation>还有 {count} 项，及详情…</translation>
    </message>
    <message>
        <source>{count} nodes</source>
        <translation>{count} 个节点</translation>
    </message>
    <message>
        <source>{count} nodes don&apos;t have a free processor each: others use them.</source>
        <translation>{count} 个节点并非各有空闲处理器：其他程序正在使用。</translation>
    </message>
    <message>
        <source>{count} nodes, extrapolated</source>
        <translation>{count} 个节点，外推</translation>
    </message>
    <message>
        <source>{count} of {all} runs disturbed</source>
        <translation>{all} 次运行中 {count} 次受干扰</translation>
    </message>
    <message>
        <source>{count} of {all} runs not counted</source>
        <translation>{all} 次运行中 {count} 次未计入</translation>
    </message>
    <message>
        <source>{count} of {all} starts count</source>
        <translation>{all} 次启动中计入 {count} 次</translation>
    </message>
    <message>
        <source>{count} of {nodes} nodes are one machine: they share its page cache, disks and processors, so this doesn&apos;t show what several machines get.</source>
        <translation>{nodes} 个节点中有 {count} 个在同一台机器上：它们共享页缓存、磁盘和处理器，因此这并不能说明多台机器的结果。</translation>
    </message>
    <message>
        <source>{count} of {total} models</source>
        <translation>{total} 个模型中的 {count} 个</translation>
    </message>
    <message>
        <source>{count} pairs</source>
        <translation>{count} 个配对</translation>
    </message>
    <message>
        <source>{count} processes</source>
        <translation>{count} 个进程</translation>
    </message>
    <message>
        <source>{count} processors</source>
        <translation>{count} 个处理器</translation>
    </message>
    <message>
        <source>{count} reads per second from {device}</source>
        <translation>每秒从 {device} 读取 {count} 次</translation>
    </message>
    <message>
        <source>{count} rounds</source>
        <translation>{count} 轮</translation>
    </message>
    <message>
        <source>{count} runs</source>
        <translation>{count} 次运行</translation>
    </message>
    <message>
        <source>{count} runs deleted</source>
        <translation>已删除 {count} 次运行</translation>
    </message>
    <message>
        <source>{count} runs, alternating A and B, each in a new process.</source>
        <translation>{count} 次运行，A 与 B 交替，每次使用新进程。</translation>
    </message>
    <message>
        <source>{count} stragglers</source>
        <translation>{count} 个落后节点</translation>
    </message>
    <message>
        <source>{count} tensors</source>
        <translation>{count} 个张量</translation>
    </message>
    <message>
        <source>{count} tensors, {size}, {types}</source>
        <translation>{count} 个张量，{size}，{types}</translation>
    </message>
    <message>
        <source>{count} the same</source>
        <translation>{count} 项相同</translation>
    </message>
    <message>
        <source>{count} threads</source>
        <translation>{count} 个线程</translation>
    </message>
    <message>
        <source>{count} trillion</source>
        <translation>{count} T</translation>
    </message>
    <message>
        <source>{count} values, from the tensors&apos; shapes</source>
        <translation>按张量形状共 {count} 个值</translation>
    </message>
    <message>
        <source>{count} warnings</source>
        <translation>{count} 条警告</translation>
    </message>
    <message>
        <source>{count} {note}</source>
        <translation>{count} 次{note}</translation>
    </message>
    <message>
        <source>{count}/s</source>
        <translation>{count} 次/秒</translation>
    </message>
    <message>
        <source>{device_max_gt_rate} GT/s × {device_max_lanes} lanes</source>
        <translation>{device_max_gt_rate} GT/s × {device_max_lanes} 通道</translation>
    </message>
    <message>
        <source>{did}.</source>
        <translation>{did}。</translation>
    </message>
    <message>
        <source>{disk}, {kind}</source>
        <translation>{disk}，{kind}</translation>
    </message>
    <message>
        <source>{disturbed} of {count} runs were disturbed.</source>
        <translation>{count} 次运行中有 {disturbed} 次受到干扰。</translation>
    </message>
    <message>
        <source>{doing}: {part}</source>
        <translation>{doing}：{part}</translation>
    </message>
    <message>
        <source>{done} of {nodes} ready</source>
        <translation>{nodes}中已有 {done} 个就绪</translation>
    </message>
    <message>
        <source>{done} of {total}</source>
        <translation>{done} / {total}</translation>
    </message>
    <message>
        <source>{done} of {total} starts</source>
        <translation>{total} 次启动中的 {done} 次</translation>
    </message>
    <message>
        <source>{dropped} dropped</source>
        <translation>丢弃 {dropped} 个</translation>
    </message>
    <message>
        <source>{dropped} samples were dropped because they weren&apos;t read in time.</source>
        <translation>{dropped} 个样本因未及时读取而被丢弃。</translation>
    </message>
    <message>
        <source>{effect} {title} itself wasn&apos;t measured.</source>
        <translation>{effect}{title} 本身未测量。</translation>
    </message>
    <message>
        <source>{elsewhere}: {where}</source>
        <translation>{elsewhere}：{where}</translation>
    </message>
    <message>
        <source>{end}, {rate}</source>
        <translation>{end}，{rate}</translation>
    </message>
    <message>
        <source>{error}

Runs in progress continue. Details are in {path}.</source>
        <translation>{error}

正在进行的运行会继续。详情见 {path}。</translation>
    </message>
    <message>
        <source>{evidence}; whether others used it too is unknown</source>
        <translation>{evidence}；是否有其他程序同时使用它未知</translation>
    </message>
    <message>
        <source>{expected} ({source})</source>
        <translation>{expected}（{source}）</translation>
    </message>
    <message>
        <source>{expected}, extrapolated from {size}</source>
        <translation>{expected}，由 {size} 推算</translation>
    </message>
    <message>
        <source>{factor}×</source>
        <translation>{factor} 倍</translation>
    </message>
    <message>
        <source>{factor}× as long</source>
        <translation>用时 {factor} 倍</translation>
    </message>
    <message>
        <source>{fetched} came from storage</source>
        <translation>{fetched} 来自存储</translation>
    </message>
    <message>
        <source>{figure}, lowest</source>
        <translation>{figure}，最低</translation>
    </message>
    <message>
        <source>{filesystem} has no readahead to set.</source>
        <translation>{filesystem} 没有可设置的预读。</translation>
    </message>
    <message>
        <source>{filesystem} on {mount_point}</source>
        <translation>{filesystem}，挂载于 {mount_point}</translation>
    </message>
    <message>
        <source>{filesystem} on {mount_point}, {kind}</source>
        <translation>{filesystem}，挂载于 {mount_point}，{kind}</translation>
    </message>
    <message>
        <source>{files} exists. Replace writes over it.</source>
        <translation>{files} 已存在。“替换”会覆盖它。</translation>
    </message>
    <message>
        <source>{file} below stays cached.</source>
        <translation>下层的 {file} 仍在缓存中。</translation>
    </message>
    <message>
        <source>{file} exists. Replace writes over it.</source>
        <translation>{file} 已存在。“替换”会覆盖它。</translation>
    </message>
    <message>
        <source>{file} is deleted when the window closes</source>
        <translation>{file} 会在窗口关闭时删除</translation>
    </message>
    <message>
        <source>{file} isn&apos;t a file that can be read.</source>
        <translation>{file} 不是可读取的文件。</translation>
    </message>
    <message>
        <source>{file} of {group}</source>
        <translation>{group} 的 {file}</translation>
    </message>
    <message>
        <source>{file} was opened alone: other files of its model are missing.</source>
        <translation>单独打开了 {file}：其模型的其他文件缺失。</translation>
    </message>
    <message>
        <source>{file}, {first} to {last}</source>
        <translation>{file}，{first} 到 {last}</translation>
    </message>
    <message>
        <source>{file}: {what}</source>
        <translation>{file}：{what}</translation>
    </message>
    <message>
        <source>{first} and {rest}</source>
        <translation>{first} 和 {rest}</translation>
    </message>
    <message>
        <source>{first} or {rest}</source>
        <translation>{first} 或 {rest}</translation>
    </message>
    <message>
        <source>{first} over {rest}</source>
        <translation>{rest} 上的 {first}</translation>
    </message>
    <message>
        <source>{first} {rest}</source>
        <translation>{first}{rest}</translation>
    </message>
    <message>
        <source>{first}, then {second}</source>
        <translation>{first}，然后 {second}</translation>
    </message>
    <message>
        <source>{first}, {rest}</source>
        <translation>{first}，{rest}</translation>
    </message>
    <message>
        <source>{first}; above it {rest}</source>
        <translation>{first}；其上 {rest}</translation>
    </message>
    <message>
        <source>{first}; {rest}</source>
        <translation>{first}；{rest}</translation>
    </message>
    <message>
        <source>{folder} contains no .safetensors or .gguf file.</source>
        <translation>{folder} 中没有 .safetensors 或 .gguf 文件。</translation>
    </message>
    <message>
        <source>{folder} contains no weights, but these folders in it do: {inside}.</source>
        <translation>{folder} 本身没有权重文件，但其中这些文件夹有：{inside}。</translation>
    </message>
    <message>
        <source>{folder} contains only PyTorch pickle files.</source>
        <translation>{folder} 中只有 PyTorch pickle 文件。</translation>
    </message>
    <message>
        <source>{folder} contains {count} models: {candidates}.</source>
        <translation>{folder} 中有 {count} 个模型：{candidates}。</translation>
    </message>
    <message>
        <source>{folder} is too full for the demo&apos;s model.</source>
        <translation>{folder} 剩余空间不足以放下演示模型。</translation>
    </message>
    <message>
        <source>{format}, {size}, {blocks} blocks</source>
        <translation>{format}，{size}，{blocks} 个块</translation>
    </message>
    <message>
        <source>{found}: {version}, supported.</source>
        <translation>{found}：{version}，支持。</translation>
    </message>
    <message>
        <source>{found}: {version}, which doesn&apos;t have {setting}.</source>
        <translation>{found}：{version}，它没有 {setting}。</translation>
    </message>
    <message>
        <source>{found}: {version}.</source>
        <translation>{found}：{version}。</translation>
    </message>
    <message>
        <source>{gets}, {bytes}</source>
        <translation>{gets},{bytes}</translation>
    </message>
    <message>
        <source>{governors} (driver {driver})</source>
        <translation>{governors}（驱动 {driver}）</translation>
    </message>
    <message>
        <source>{gt_rate} GT/s × {lanes} lanes ({bytes_rate})</source>
        <translation>{gt_rate} GT/s × {lanes} 通道（{bytes_rate}）</translation>
    </message>
    <message>
        <source>{headline}. {detail}</source>
        <translation>{headline}。{detail}</translation>
    </message>
    <message>
        <source>{held} (for {part} of the model)</source>
        <translation>{held}（模型的 {part}）</translation>
    </message>
    <message>
        <source>{how}, and {got}</source>
        <translation>{how}，而且{got}</translation>
    </message>
    <message>
        <source>{how}: {why}</source>
        <translation>{how}：{why}</translation>
    </message>
    <message>
        <source>{how}; no trace: {why}</source>
        <translation>{how}；无跟踪：{why}</translation>
    </message>
    <message>
        <source>{indent}PCIe link</source>
        <translation>{indent}PCIe 链路</translation>
    </message>
    <message>
        <source>{indent}└ {name}</source>
        <translation>{indent}└ {name}</translation>
    </message>
    <message>
        <source>{index} doesn&apos;t fit the files here: {file} was opened, as transformers does.</source>
        <translation>{index} 与此处的文件不符：已像 transformers 那样打开 {file}。</translation>
    </message>
    <message>
        <source>{index} names missing files ({count}). The other files have all its tensors.</source>
        <translation>{index} 列出了缺失的文件（{count} 个）。其他文件包含其全部张量。</translation>
    </message>
    <message>
        <source>{jump} ahead</source>
        <translation>快进 {jump}</translation>
    </message>
    <message>
        <source>{jump} back</source>
        <translation>倒退 {jump}</translation>
    </message>
    <message>
        <source>{keep} Most of its {number} libraries ({size}) are on {mount} ({filesystem}).</source>
        <translation>{keep} 它的 {number} 个库（{size}）大部分位于 {mount}（{filesystem}）。</translation>
    </message>
    <message>
        <source>{kind} came after the last event.</source>
        <translation>{kind} 出现在最后一个事件之后。</translation>
    </message>
    <message>
        <source>{kind} came while the run was {state}.</source>
        <translation>{kind} 出现时运行处于 {state} 状态。</translation>
    </message>
    <message>
        <source>{known} runs</source>
        <translation>{known} 次运行</translation>
    </message>
    <message>
        <source>{label} has only one run that counts</source>
        <translation>{label} 只有一次计入的运行</translation>
    </message>
    <message>
        <source>{label} is a command, and modelmon.toml can&apos;t express it.</source>
        <translation>{label} 是命令，modelmon.toml 无法表达它。</translation>
    </message>
    <message>
        <source>{label} is a command, which has to be agreed to again: {command}</source>
        <translation>{label} 是一个命令，须重新同意后才能运行：{command}</translation>
    </message>
    <message>
        <source>{label} of the experiment isn&apos;t this command.</source>
        <translation>实验的 {label} 不是此命令。</translation>
    </message>
    <message>
        <source>{label} {size}</source>
        <translation>{label} {size}</translation>
    </message>
    <message>
        <source>{label} {time}</source>
        <translation>{label} {time}</translation>
    </message>
    <message>
        <source>{label}, streamed</source>
        <translation>{label}，流式</translation>
    </message>
    <message>
        <source>{label}: {change}</source>
        <translation>{label}：{change}</translation>
    </message>
    <message>
        <source>{label}: {time}, {what}</source>
        <translation>{label}：{time}，{what}</translation>
    </message>
    <message>
        <source>{label}: {why}</source>
        <translation>{label}：{why}</translation>
    </message>
    <message>
        <source>{least} of {total} was left</source>
        <translation>剩余 {least}，共 {total}</translation>
    </message>
    <message>
        <source>{left} was still cached at the end</source>
        <translation>结束时仍有 {left} 在缓存中</translation>
    </message>
    <message>
        <source>{library} always reads its files whole.</source>
        <translation>{library} 总是完整读取文件。</translation>
    </message>
    <message>
        <source>{library} has its own loader: its result doesn&apos;t show what other programs should set.</source>
        <translation>{library} 用自己的方式加载：它的结果不能说明其他程序该如何设置。</translation>
    </message>
    <message>
        <source>{library} is a baseline to measure against.</source>
        <translation>{library} 是用于对比的基准。</translation>
    </message>
    <message>
        <source>{library} loads whole tensors.</source>
        <translation>{library} 加载完整的张量。</translation>
    </message>
    <message>
        <source>{library} makes its own choice: {axes} can&apos;t be set.</source>
        <translation>{library} 自行决定：{axes} 不能选择。</translation>
    </message>
    <message>
        <source>{library} returns tensors as they are stored: nothing decodes them.</source>
        <translation>{library} 按存储的样子返回张量：不会解码。</translation>
    </message>
    <message>
        <source>{library} returns tensors, so it can&apos;t be streamed.</source>
        <translation>{library} 给出的是张量，所以不能流式交付。</translation>
    </message>
    <message>
        <source>{limit} ({version}), {used} in use without cached files</source>
        <translation>{limit} ({version})，已用 {used}（不含缓存的文件）</translation>
    </message>
    <message>
        <source>{limit} of {total} RAM, {cgroup_used} in use</source>
        <translation>限制 {limit}，内存共 {total}，已用 {cgroup_used}</translation>
    </message>
    <message>
        <source>{limit}; {rate} used while reading</source>
        <translation>{limit}；读取期间使用 {rate}</translation>
    </message>
    <message>
        <source>{logical} logical</source>
        <translation>{logical} 个逻辑处理器</translation>
    </message>
    <message>
        <source>{looks} with new bytes</source>
        <translation>{looks} 次有新字节</translation>
    </message>
    <message>
        <source>{lost} events of the kernel were lost</source>
        <translation>丢失了 {lost} 个内核事件</translation>
    </message>
    <message>
        <source>{low} to {high}</source>
        <translation>{low} 至 {high}</translation>
    </message>
    <message>
        <source>{low}–{high}× as long</source>
        <translation>用时 {low}–{high} 倍</translation>
    </message>
    <message>
        <source>{machine} (another machine)</source>
        <translation>{machine}（另一台机器）</translation>
    </message>
    <message>
        <source>{major} major, {minor} minor</source>
        <translation>主要 {major} 次，次要 {minor} 次</translation>
    </message>
    <message>
        <source>{mapped} memory-mapped, {private} private</source>
        <translation>{mapped} 为内存映射，{private} 为私有</translation>
    </message>
    <message>
        <source>{max_late} ms late</source>
        <translation>晚到 {max_late} ms</translation>
    </message>
    <message>
        <source>{mean_wait} for {request}</source>
        <translation>每 {request} 用时 {mean_wait}</translation>
    </message>
    <message>
        <source>{meaning} modelmon launch reads the model ahead.</source>
        <translation>{meaning}modelmon launch 会提前读取模型。</translation>
    </message>
    <message>
        <source>{meaning} modelmon launch reads the model before.</source>
        <translation>{meaning}modelmon launch 先读完模型。</translation>
    </message>
    <message>
        <source>{median_rate} into fresh pages, {used_median_rate} into pages in use (medians, one thread)</source>
        <translation>写入新页 {median_rate}，写入使用中的页 {used_median_rate}（中位数，单线程）</translation>
    </message>
    <message>
        <source>{median}, p99 {p99}</source>
        <translation>{median}，p99 {p99}</translation>
    </message>
    <message>
        <source>{message} ({evidence})</source>
        <translation>{message}（{evidence}）</translation>
    </message>
    <message>
        <source>{message} {kept}</source>
        <translation>{message}{kept}</translation>
    </message>
    <message>
        <source>{metadata} does not map text to text: {reason}.</source>
        <translation>{metadata} 不是文本到文本的映射：{reason}。</translation>
    </message>
    <message>
        <source>{missing} are not installed: pip install {packages}</source>
        <translation>未安装 {missing}：pip install {packages}</translation>
    </message>
    <message>
        <source>{missing} would go to swap</source>
        <translation>{missing} 会进入交换空间</translation>
    </message>
    <message>
        <source>{model} doesn&apos;t fit in memory: {size} of tensors, {memory} free.</source>
        <translation>{model} 无法放入内存：张量共 {size}，可用 {memory}。</translation>
    </message>
    <message>
        <source>{model} has no block {pattern}.</source>
        <translation>{model} 中没有块 {pattern}。</translation>
    </message>
    <message>
        <source>{model} has no tensor {pattern}.</source>
        <translation>{model} 中没有张量 {pattern}。</translation>
    </message>
    <message>
        <source>{model}, {start} starts, {runs} in {rounds} and {time}. {ending}.</source>
        <translation>{model}，{start}，{rounds}中共 {runs}，用时 {time}。{ending}。</translation>
    </message>
    <message>
        <source>{model}, {start} starts.</source>
        <translation>{model}，{start}。</translation>
    </message>
    <message>
        <source>{model}, {strategy}</source>
        <translation>{model}，{strategy}</translation>
    </message>
    <message>
        <source>{model}: model contents</source>
        <translation>{model}：模型内容</translation>
    </message>
    <message>
        <source>{module} isn&apos;t installed on the node.</source>
        <translation>该节点上没有安装 {module}。</translation>
    </message>
    <message>
        <source>{names} and {last}</source>
        <translation>{names} 和 {last}</translation>
    </message>
    <message>
        <source>{names} didn&apos;t alternate with {base}, so the speedup of the medians includes other changes in between.</source>
        <translation>{names} 与 {base} 并非交替运行，因此中位数的速度比包含其间的其他变化。</translation>
    </message>
    <message>
        <source>{name} (A): {compared}.</source>
        <translation>{name}（A）：{compared}。</translation>
    </message>
    <message>
        <source>{name} (process {pid}) has it open</source>
        <translation>{name}（进程 {pid}）打开了它</translation>
    </message>
    <message>
        <source>{name} (process {pid}) maps it</source>
        <translation>{name}（进程 {pid}）映射了它</translation>
    </message>
    <message>
        <source>{name} ({pid}, mapped)</source>
        <translation>{name}（{pid}，已映射）</translation>
    </message>
    <message>
        <source>{name} ({pid}, open)</source>
        <translation>{name}（{pid}，已打开）</translation>
    </message>
    <message>
        <source>{name} ({time}) is predicted to be about as fast as mmap ({today}).</source>
        <translation>预计 {name}（{time}）与 mmap（{today}）速度相近。</translation>
    </message>
    <message>
        <source>{name} alternated with {base}: the speedup is from 1 pair.</source>
        <translation>{name} 与 {base} 交替运行：速度比取自 1 个配对。</translation>
    </message>
    <message>
        <source>{name} alternated with {base}: the speedup is from {count} pairs.</source>
        <translation>{name} 与 {base} 交替运行：速度比取自 {count} 个配对。</translation>
    </message>
    <message>
        <source>{name} bypasses the page cache: every load fetches everything.</source>
        <translation>{name} 被设为绕过页缓存：每次加载都会重新获取全部内容。</translation>
    </message>
    <message>
        <source>{name} can&apos;t be compared with {base}: {why}.</source>
        <translation>{name} 无法与 {base} 对比：{why}。</translation>
    </message>
    <message>
        <source>{name} can&apos;t be decoded: {why}.</source>
        <translation>{name} 无法解码：{why}。</translation>
    </message>
    <message>
        <source>{name} can&apos;t be run: it isn&apos;t an executable file.</source>
        <translation>无法运行 {name}：它不是可执行文件。</translation>
    </message>
    <message>
        <source>{name} can&apos;t be {value}.</source>
        <translation>{name} 不能是 {value}。</translation>
    </message>
    <message>
        <source>{name} cannot represent {strange} here.</source>
        <translation>{name} 在这里无法表示 {strange}。</translation>
    </message>
    <message>
        <source>{name} couldn&apos;t load the model: {reason}.</source>
        <translation>{name} 无法加载模型：{reason}。</translation>
    </message>
    <message>
        <source>{name} delivered {nbytes} bytes as tensor {delivered_name}; wanted were the {wanted_nbytes} bytes of {wanted_name}.</source>
        <translation>{name} 以张量 {delivered_name} 交付了 {nbytes} 字节；需要的是 {wanted_name} 的 {wanted_nbytes} 字节。</translation>
    </message>
    <message>
        <source>{name} ended before it returned tensor {wanted_name}.</source>
        <translation>{name} 在交付张量 {wanted_name} 之前就结束了。</translation>
    </message>
    <message>
        <source>{name} has an empty pattern.</source>
        <translation>{name} 中有空的模式。</translation>
    </message>
    <message>
        <source>{name} has no tensor with any bytes: there is nothing to load.</source>
        <translation>{name} 中没有含数据的张量：没有可加载的内容。</translation>
    </message>
    <message>
        <source>{name} is a built-in strategy. Choose another name.</source>
        <translation>{name} 是内置策略。请换一个名称。</translation>
    </message>
    <message>
        <source>{name} is a hard disk: every seek costs milliseconds.</source>
        <translation>{name} 是机械硬盘：每次跳到别处读取都要花费数毫秒。</translation>
    </message>
    <message>
        <source>{name} is an image file: reads are cached twice.</source>
        <translation>{name} 是映像文件：读取的内容会缓存两次。</translation>
    </message>
    <message>
        <source>{name} is in use: {users}.</source>
        <translation>{name} 正在使用中：{users}。</translation>
    </message>
    <message>
        <source>{name} is mapped by this process, which keeps it cached.</source>
        <translation>{name} 已被本进程映射，因此会留在缓存中。</translation>
    </message>
    <message>
        <source>{name} is predicted to take {time} instead of {today}.</source>
        <translation>预计 {name} 用时 {time}，而不是 {today}。</translation>
    </message>
    <message>
        <source>{name} isn&apos;t a report&apos;s name.</source>
        <translation>{name} 不是报告的文件名。</translation>
    </message>
    <message>
        <source>{name} likely takes {low} to {high} less time.</source>
        <translation>{name} 的用时很可能少 {low} 至 {high}。</translation>
    </message>
    <message>
        <source>{name} likely takes {low} to {high} more time.</source>
        <translation>{name} 的用时很可能多 {low} 至 {high}。</translation>
    </message>
    <message>
        <source>{name} loads to a GPU only: none was found.</source>
        <translation>{name} 只能加载到 GPU：没有找到 GPU。</translation>
    </message>
    <message>
        <source>{name} loads {formats} files, not {format}.</source>
        <translation>{name} 加载 {formats} 文件，而不是 {format}。</translation>
    </message>
    <message>
        <source>{name} needs a newer {package} than {has}: pip install &apos;{package}&gt;={since}&apos;</source>
        <translation>{name} 需要比 {has} 更新的 {package}：pip install &apos;{package}&gt;={since}&apos;</translation>
    </message>
    <message>
        <source>{name} reads from an object store; every seek may be a new request.</source>
        <translation>{name} 从对象存储获取该文件；每次定位都可能是一个新请求。</translation>
    </message>
    <message>
        <source>{name} reads from another machine.</source>
        <translation>{name} 从另一台机器获取该文件。</translation>
    </message>
    <message>
        <source>{name} runs at USB 2 speed or below.</source>
        <translation>{name} 以 USB 2 或更低的速度运行。</translation>
    </message>
    <message>
        <source>{name} takes between {less} less and {more} more time.</source>
        <translation>{name} 的用时介于少 {less} 与多 {more} 之间。</translation>
    </message>
    <message>
        <source>{name} was changed from {before} to {after} bytes</source>
        <translation>{name} 从 {before} 字节变为 {after} 字节</translation>
    </message>
    <message>
        <source>{name} was removed or unmounted</source>
        <translation>{name} 被删除或卸载</translation>
    </message>
    <message>
        <source>{name} was replaced</source>
        <translation>{name} 被替换</translation>
    </message>
    <message>
        <source>{name} was written to</source>
        <translation>{name} 被写入</translation>
    </message>
    <message>
        <source>{name} {time}</source>
        <translation>{name} {time}</translation>
    </message>
    <message>
        <source>{name} {value}</source>
        <translation>{name} {value}</translation>
    </message>
    <message>
        <source>{name}, density</source>
        <translation>{name}，密度</translation>
    </message>
    <message>
        <source>{name}, run {number}</source>
        <translation>{name}，运行 {number}</translation>
    </message>
    <message>
        <source>{name}, {day}, {state} start.</source>
        <translation>{name}，{day}，启动状态：{state}。</translation>
    </message>
    <message>
        <source>{name}: {figures}</source>
        <translation>{name}：{figures}</translation>
    </message>
    <message>
        <source>{name}: {meaning}</source>
        <translation>{name}：{meaning}</translation>
    </message>
    <message>
        <source>{name}: {problem}</source>
        <translation>{name}：{problem}</translation>
    </message>
    <message>
        <source>{name}: {share}</source>
        <translation>{name}:{share}</translation>
    </message>
    <message>
        <source>{name}: {size}, {first} to {last}</source>
        <translation>{name}：{size}，{first} 至 {last}</translation>
    </message>
    <message>
        <source>{name}: {then} → {now}</source>
        <translation>{name}：{then} → {now}</translation>
    </message>
    <message>
        <source>{name}: {value}</source>
        <translation>{name}：{value}</translation>
    </message>
    <message>
        <source>{name}: {what}</source>
        <translation>{name}：{what}</translation>
    </message>
    <message>
        <source>{needed} of {usable} of RAM</source>
        <translation>需要 {needed}，可用内存 {usable}</translation>
    </message>
    <message>
        <source>{needed} of {usable} under the cgroup&apos;s limit</source>
        <translation>需要 {needed}，cgroup 限制内可用 {usable}</translation>
    </message>
    <message>
        <source>{nodes} · cluster</source>
        <translation>{nodes} · 集群</translation>
    </message>
    <message>
        <source>{node} takes {ratio}× as long as the node in the middle.</source>
        <translation>{node} 用时是中位节点的 {ratio} 倍。</translation>
    </message>
    <message>
        <source>{node} takes {ratio}× as long as the node in the middle: {why}.</source>
        <translation>{node} 用时是中位节点的 {ratio} 倍：{why}。</translation>
    </message>
    <message>
        <source>{node} was left out: {why}</source>
        <translation>{node} 被排除：{why}</translation>
    </message>
    <message>
        <source>{node}: {why}</source>
        <translation>{node}：{why}</translation>
    </message>
    <message>
        <source>{now} of possible {most}</source>
        <translation>{now}，可达 {most}</translation>
    </message>
    <message>
        <source>{number} from another machine or disk not shown</source>
        <translation>未显示其他机器或磁盘的 {number} 次</translation>
    </message>
    <message>
        <source>{number} from another machine or disk not shown. To see them, clear “{box}”.</source>
        <translation>未显示其他机器或磁盘的 {number} 次。要查看，请取消勾选“{box}”。</translation>
    </message>
    <message>
        <source>{number} of {count}</source>
        <translation>第 {number} 步，共 {count} 步</translation>
    </message>
    <message>
        <source>{option}: {meaning}</source>
        <translation>{option}：{meaning}</translation>
    </message>
    <message>
        <source>{other_runs} warm starts with {label}</source>
        <translation>用 {label} 热启动 {other_runs} 次</translation>
    </message>
    <message>
        <source>{others} during the load, besides its own</source>
        <translation>加载期间除自身外还有 {others}</translation>
    </message>
    <message>
        <source>{out} already exists.</source>
        <translation>{out} 已存在。</translation>
    </message>
    <message>
        <source>{out} contains more than weights, which would be lost.</source>
        <translation>{out} 中除权重外还有其他内容，会因此丢失。</translation>
    </message>
    <message>
        <source>{out} isn&apos;t a file.</source>
        <translation>{out} 不是文件。</translation>
    </message>
    <message>
        <source>{own} of the model was in its page cache, {others} in the others&apos;</source>
        <translation>模型的 {own} 在其页缓存中，其他节点为 {others}</translation>
    </message>
    <message>
        <source>{package} is not installed: pip install {packages}</source>
        <translation>未安装 {package}：pip install {packages}</translation>
    </message>
    <message>
        <source>{package} isn&apos;t installed in {pythons}.</source>
        <translation>{pythons} 中未安装 {package}。</translation>
    </message>
    <message>
        <source>{pairs} pairs could still show that by chance.</source>
        <translation>{pairs} 对运行仍可能只是偶然显示这一点。</translation>
    </message>
    <message>
        <source>{pairs} so far: {time_a} and {time_b}. Run at least {least}.</source>
        <translation>目前 {pairs}：{time_a} 和 {time_b}。至少需运行 {least} 个。</translation>
    </message>
    <message>
        <source>{pairs}, 1 run not counted</source>
        <translation>{pairs}，1 次运行未计入</translation>
    </message>
    <message>
        <source>{pairs}, all started as requested</source>
        <translation>{pairs}，启动状态均符合要求</translation>
    </message>
    <message>
        <source>{pairs}, cache state unknown</source>
        <translation>{pairs}，缓存状态未知</translation>
    </message>
    <message>
        <source>{pairs}, the range includes 1</source>
        <translation>{pairs}，范围包含 1</translation>
    </message>
    <message>
        <source>{pairs}, the range is too wide</source>
        <translation>{pairs}，范围太宽</translation>
    </message>
    <message>
        <source>{pairs}, {discarded} runs not counted</source>
        <translation>{pairs}，{discarded} 次运行未计入</translation>
    </message>
    <message>
        <source>{pairs}; {least} are needed</source>
        <translation>{pairs}；需要 {least} 个</translation>
    </message>
    <message>
        <source>{part} at {rate}</source>
        <translation>{part}，{rate}</translation>
    </message>
    <message>
        <source>{part} at {rate}, {time} left in this run</source>
        <translation>{part}，{rate}，本次运行剩余 {time}</translation>
    </message>
    <message>
        <source>{part} from “{line}”</source>
        <translation>{part}（从“{line}”起）</translation>
    </message>
    <message>
        <source>{part} of {requests} requests in {span}, {rate} seeks/s</source>
        <translation>{requests} 个请求中有 {part} 个在 {span} 内，每秒 {rate} 次寻道</translation>
    </message>
    <message>
        <source>{part} used</source>
        <translation>已用 {part}</translation>
    </message>
    <message>
        <source>{part} {time}</source>
        <translation>{part} {time}</translation>
    </message>
    <message>
        <source>{part}, {share} of the model</source>
        <translation>{part}，模型的 {share}</translation>
    </message>
    <message>
        <source>{path} and {more} more of the model&apos;s {count} files are missing.</source>
        <translation>缺少 {path} 和另外 {more} 个文件（模型共 {count} 个文件）。</translation>
    </message>
    <message>
        <source>{path} changed: it now has {size} bytes, not {value_size}.</source>
        <translation>{path} 已改变：现在有 {size} 字节，而打开时是 {value_size} 字节。</translation>
    </message>
    <message>
        <source>{path} contains no tensors: there is nothing to load.</source>
        <translation>{path} 中没有张量，所以没有可加载的内容。</translation>
    </message>
    <message>
        <source>{path} doesn&apos;t answer as a Python.</source>
        <translation>{path} 没有像 Python 那样应答。</translation>
    </message>
    <message>
        <source>{path} doesn&apos;t exist.</source>
        <translation>{path} 不存在。</translation>
    </message>
    <message>
        <source>{path} doesn&apos;t respond. Measuring it was abandoned.</source>
        <translation>{path} 没有响应，已放弃对它的测量。</translation>
    </message>
    <message>
        <source>{path} ended at byte {offset} while its header was read: another program is changing it.</source>
        <translation>读取文件头时 {path} 在第 {offset} 字节处结束：另一个程序正在修改它。</translation>
    </message>
    <message>
        <source>{path} has no finished load: {message}</source>
        <translation>{path} 中没有已完成的加载：{message}</translation>
    </message>
    <message>
        <source>{path} has no table [{name}].</source>
        <translation>{path} 中没有表 [{name}]。</translation>
    </message>
    <message>
        <source>{path} has schema {schema}; this version reads schema {config_schema}.</source>
        <translation>{path} 的模式版本是 {schema}；此版本读取 {config_schema}。</translation>
    </message>
    <message>
        <source>{path} has schema {schema}; this version reads {result_schema}.</source>
        <translation>{path} 的模式版本是 {schema}；此版本读取 {result_schema}。</translation>
    </message>
    <message>
        <source>{path} is a folder.</source>
        <translation>{path} 是文件夹。</translation>
    </message>
    <message>
        <source>{path} is a link to {target}, which doesn&apos;t exist.</source>
        <translation>{path} 是指向 {target} 的链接，而后者不存在。</translation>
    </message>
    <message>
        <source>{path} is a model file.</source>
        <translation>{path} 是模型文件。</translation>
    </message>
    <message>
        <source>{path} is a model, not a recording.</source>
        <translation>{path} 是模型，不是记录。</translation>
    </message>
    <message>
        <source>{path} is a result of Find best.</source>
        <translation>{path} 是“查找最佳”的结果。</translation>
    </message>
    <message>
        <source>{path} is in the history already, as run {id}.</source>
        <translation>{path} 已在历史中，即运行 {id}。</translation>
    </message>
    <message>
        <source>{path} is neither a file nor a model folder.</source>
        <translation>{path} 不是文件，也不含模型。</translation>
    </message>
    <message>
        <source>{path} is not TOML: {reason}.</source>
        <translation>{path} 不是 TOML：{reason}。</translation>
    </message>
    <message>
        <source>{path} is not a recording of this version: line {number}: {reason}</source>
        <translation>{path} 不是此版本的记录：第 {number} 行：{reason}</translation>
    </message>
    <message>
        <source>{path} is not a recording.</source>
        <translation>{path} 不是记录文件。</translation>
    </message>
    <message>
        <source>{path} is on a server: only this machine&apos;s models can be loaded.</source>
        <translation>{path} 位于服务器上：只能加载本机的模型。</translation>
    </message>
    <message>
        <source>{path} isn&apos;t a regular file.</source>
        <translation>{path} 不是普通文件。</translation>
    </message>
    <message>
        <source>{path} isn&apos;t a saved result: {reason}.</source>
        <translation>{path} 不是已保存的结果：{reason}。</translation>
    </message>
    <message>
        <source>{path} names tensor {name} and {more} more, which no shard has.</source>
        <translation>{path} 中列有张量 {name} 和另外 {more} 个，但没有分片包含它们。</translation>
    </message>
    <message>
        <source>{path} names tensor {name}, which no shard has.</source>
        <translation>{path} 中列有张量 {name}，但没有分片包含它。</translation>
    </message>
    <message>
        <source>{path} of the model&apos;s {count} files is missing.</source>
        <translation>缺少 {path}（模型共 {count} 个文件）。</translation>
    </message>
    <message>
        <source>{path}, table [load]: {message}</source>
        <translation>{path}，表 [load]：{message}</translation>
    </message>
    <message>
        <source>{path}: some files of the model are safetensors and some GGUF.</source>
        <translation>{path}：模型的文件有些是 safetensors，有些是 GGUF。</translation>
    </message>
    <message>
        <source>{path}: split.no is {said_number} and split.count {said_count}, but by name it is file {number} of {count}, counted from 0.</source>
        <translation>{path}：split.no 是 {said_number}，split.count 是 {said_count}，但按文件名它是 {count} 个文件中的第 {number} 个（从 0 计数）。</translation>
    </message>
    <message>
        <source>{path}: split.tensors.count is {said_tensors}, but the files have {tensor_count} tensors.</source>
        <translation>{path}：split.tensors.count 为 {said_tensors}，但这些文件有 {tensor_count} 个张量。</translation>
    </message>
    <message>
        <source>{path}: tensor {name} is in {shard_path} and again in {path2}.</source>
        <translation>{path}：张量 {name} 在 {shard_path} 中，又出现在 {path2} 中。</translation>
    </message>
    <message>
        <source>{path}: {problem}</source>
        <translation>{path}：{problem}</translation>
    </message>
    <message>
        <source>{phase} takes less than 5% of the wait</source>
        <translation>{phase}占等待时间不到 5%</translation>
    </message>
    <message>
        <source>{pid}, joined</source>
        <translation>{pid}，已加入</translation>
    </message>
    <message>
        <source>{pid}, started by modelmon</source>
        <translation>{pid}，由 modelmon 启动</translation>
    </message>
    <message>
        <source>{place} isn&apos;t an empty folder.</source>
        <translation>{place} 不是空文件夹。</translation>
    </message>
    <message>
        <source>{place}. Its times can&apos;t be compared with runs here.</source>
        <translation>{place}。其时间不能与此处的运行对比。</translation>
    </message>
    <message>
        <source>{points} points</source>
        <translation>{points} 个百分点</translation>
    </message>
    <message>
        <source>{position} of {end}</source>
        <translation>{position} / {end}</translation>
    </message>
    <message>
        <source>{probe} of {path}, in {duration}</source>
        <translation>{probe}，{path}，用时 {duration}</translation>
    </message>
    <message>
        <source>{problem} Runs are still measured.</source>
        <translation>{problem}运行仍会照常测量。</translation>
    </message>
    <message>
        <source>{program} (process {pid})</source>
        <translation>{program}（进程 {pid}）</translation>
    </message>
    <message>
        <source>{program} (process {pid}) belongs to {user}, and what it reads can&apos;t be seen.</source>
        <translation>{program}（进程 {pid}）属于 {user}，无法看到它读取什么。</translation>
    </message>
    <message>
        <source>{program} can&apos;t be asked for a token.</source>
        <translation>无法向 {program} 请求 token。</translation>
    </message>
    <message>
        <source>{program} can&apos;t be run: {reason}.</source>
        <translation>{program} 无法运行：{reason}。</translation>
    </message>
    <message>
        <source>{program} couldn&apos;t be started.</source>
        <translation>{program} 无法启动。</translation>
    </message>
    <message>
        <source>{program} doesn&apos;t answer {question}.</source>
        <translation>{program} 对 {question} 没有响应。</translation>
    </message>
    <message>
        <source>{program} ended</source>
        <translation>{program} 已结束</translation>
    </message>
    <message>
        <source>{program} ended before it was ready.</source>
        <translation>{program} 在就绪之前结束了。</translation>
    </message>
    <message>
        <source>{program} ended with exit code {code} when asked for {question}: {said}</source>
        <translation>以 {question} 查询时，{program} 以退出码 {code} 结束：{said}</translation>
    </message>
    <message>
        <source>{program} had loaded {model} before it was watched.</source>
        <translation>{program} 在被观察之前就已加载 {model}。</translation>
    </message>
    <message>
        <source>{program} has loaded</source>
        <translation>{program} 已加载完成</translation>
    </message>
    <message>
        <source>{program} has read {share} of {model} and rests. It counts as ready after {rest}.</source>
        <translation>{program} 已读取 {model} 的 {share}，现已停顿。{rest} 后视为就绪。</translation>
    </message>
    <message>
        <source>{program} has {model} open and has read nothing yet.</source>
        <translation>{program} 已打开 {model}，但尚未读取任何内容。</translation>
    </message>
    <message>
        <source>{program} hasn&apos;t opened {model} yet.</source>
        <translation>{program} 尚未打开 {model}。</translation>
    </message>
    <message>
        <source>{program} hasn&apos;t read the model yet</source>
        <translation>{program} 尚未读取模型</translation>
    </message>
    <message>
        <source>{program} is reading the model</source>
        <translation>{program} 正在读取模型</translation>
    </message>
    <message>
        <source>{program} is timed from its start until it&apos;s ready, {mine} without its start.</source>
        <translation>{program} 的计时从启动到就绪，{mine} 的计时不含启动。</translation>
    </message>
    <message>
        <source>{program} is timed while it reads the model, {mine} as a whole.</source>
        <translation>{program} 只计读取模型的时间，{mine} 计全部时间。</translation>
    </message>
    <message>
        <source>{program} opened no model.</source>
        <translation>{program} 没有打开任何模型。</translation>
    </message>
    <message>
        <source>{program} read {bytes} of the model more than once: {factor} times over.</source>
        <translation>{program} 重复读取了模型的 {bytes}：共 {factor} 遍。</translation>
    </message>
    <message>
        <source>{program} reads as fast as {storage} allows</source>
        <translation>{program} 的读取已达到{storage}所能提供的最快速度</translation>
    </message>
    <message>
        <source>{program} reads nothing of {model}, which is in memory already.</source>
        <translation>{program} 没有读取 {model}，它已在内存中。</translation>
    </message>
    <message>
        <source>{program} reads slowly: up to {saved} of {wall} can be saved</source>
        <translation>{program} 读取缓慢：{wall} 中最多可节省 {saved}</translation>
    </message>
    <message>
        <source>{program} says nothing when asked for {question}.</source>
        <translation>以 {question} 查询时，{program} 没有任何输出。</translation>
    </message>
    <message>
        <source>{program} waits for {storage}: up to {saved} of {wall} can be saved</source>
        <translation>{program} 在等待{storage}：{wall} 中最多可节省 {saved}</translation>
    </message>
    <message>
        <source>{program} was ready</source>
        <translation>{program} 已就绪</translation>
    </message>
    <message>
        <source>{program} was ready after {wall}</source>
        <translation>{program} 在 {wall} 后就绪</translation>
    </message>
    <message>
        <source>{program} wasn&apos;t measured.</source>
        <translation>{program} 未测量。</translation>
    </message>
    <message>
        <source>{program} wasn&apos;t ready after {after}</source>
        <translation>{program} 在 {after} 后仍未就绪</translation>
    </message>
    <message>
        <source>{program} wasn&apos;t ready after {wall}</source>
        <translation>{program} 在 {wall} 后仍未就绪</translation>
    </message>
    <message>
        <source>{program} went on in the background, and was watched there.</source>
        <translation>{program} 转入后台继续运行，并在那里被观察。</translation>
    </message>
    <message>
        <source>{program} {how}.</source>
        <translation>{program} {how}。</translation>
    </message>
    <message>
        <source>{program}, process {pid}, {how}: {command}</source>
        <translation>{program}，进程 {pid}，{how}：{command}</translation>
    </message>
    <message>
        <source>{quota} of {usable}</source>
        <translation>{quota}，共 {usable}</translation>
    </message>
    <message>
        <source>{ranks} processes, each loads its slices</source>
        <translation>{ranks} 个进程，每个加载自己的切片</translation>
    </message>
    <message>
        <source>{ranks} processes, each loads the whole model</source>
        <translation>{ranks} 个进程，每个加载整个模型</translation>
    </message>
    <message>
        <source>{rank} isn&apos;t a rank.</source>
        <translation>{rank} 不是有效的秩。</translation>
    </message>
    <message>
        <source>{rate} ({low} to {high}), {decoder}</source>
        <translation>{rate}（{low} 到 {high}），{decoder}</translation>
    </message>
    <message>
        <source>{rate} from {device}</source>
        <translation>从 {device} {rate}</translation>
    </message>
    <message>
        <source>{rate} from {nodes} nodes ({low}–{high})</source>
        <translation>{nodes} 个节点起为 {rate}（{low}–{high}）</translation>
    </message>
    <message>
        <source>{rate} per second</source>
        <translation>每秒 {rate} 次</translation>
    </message>
    <message>
        <source>{rate} together</source>
        <translation>合计 {rate}</translation>
    </message>
    <message>
        <source>{rate}, by 1 node</source>
        <translation>{rate}，1 个节点即达到</translation>
    </message>
    <message>
        <source>{rate}, where the disk measurement found {best} at best</source>
        <translation>{rate}，而磁盘测速测得最高 {best}</translation>
    </message>
    <message>
        <source>{rate}, {kind}</source>
        <translation>{rate}，{kind}</translation>
    </message>
    <message>
        <source>{rate}, {share} read from the disk</source>
        <translation>{rate},{share} 读自磁盘</translation>
    </message>
    <message>
        <source>{rate}, {share} read from the disk: cached</source>
        <translation>{rate},{share} 读自磁盘:已缓存</translation>
    </message>
    <message>
        <source>{rate}, {share} read from the disk: not a load</source>
        <translation>{rate},{share} 读自磁盘:不是加载</translation>
    </message>
    <message>
        <source>{rate}; its connection carries {limit}</source>
        <translation>{rate}；其连接的上限为 {limit}</translation>
    </message>
    <message>
        <source>{ratio} (about {low}–{high})</source>
        <translation>{ratio}（约 {low}–{high}）</translation>
    </message>
    <message>
        <source>{ratio} ({low}–{high})</source>
        <translation>{ratio}（{low}–{high}）</translation>
    </message>
    <message>
        <source>{ratio}× as fast</source>
        <translation>速度为 {ratio} 倍</translation>
    </message>
    <message>
        <source>{ratio}× as long</source>
        <translation>用时 {ratio} 倍</translation>
    </message>
    <message>
        <source>{read_rate} just before the start</source>
        <translation>开始前一刻 {read_rate}</translation>
    </message>
    <message>
        <source>{readable}: this name is not valid UTF-8.</source>
        <translation>{readable}：此名称不是有效的 UTF-8。</translation>
    </message>
    <message>
        <source>{readers} readers</source>
        <translation>{readers} 个读取器</translation>
    </message>
    <message>
        <source>{readers} threads</source>
        <translation>{readers} 个线程</translation>
    </message>
    <message>
        <source>{reads_rate} reads/s</source>
        <translation>每秒 {reads_rate} 次读取</translation>
    </message>
    <message>
        <source>{reason} ({likely}).</source>
        <translation>{reason}，{likely}。</translation>
    </message>
    <message>
        <source>{reason}.</source>
        <translation>{reason}。</translation>
    </message>
    <message>
        <source>{reference} isn&apos;t an experiment.</source>
        <translation>{reference} 不是实验。</translation>
    </message>
    <message>
        <source>{refusal}.</source>
        <translation>{refusal}。</translation>
    </message>
    <message>
        <source>{refusal}: access can&apos;t be direct here.</source>
        <translation>{refusal}，因此此处不能使用 access direct。</translation>
    </message>
    <message>
        <source>{refusal}: all reads were buffered.</source>
        <translation>{refusal}：全部内容都经页缓存读取。</translation>
    </message>
    <message>
        <source>{refusal}: all was memory-mapped.</source>
        <translation>{refusal}：全部改用内存映射。</translation>
    </message>
    <message>
        <source>{remedy} Go ahead anyway with --yes.</source>
        <translation>{remedy}用 --yes 可照样继续。</translation>
    </message>
    <message>
        <source>{requests} requests, {restarts} seeks (inferred), {rate} seeks/s</source>
        <translation>{requests} 个请求，{restarts} 次寻道（推断），每秒 {rate} 次</translation>
    </message>
    <message>
        <source>{runs} Shows the expected time and bytes to read first.</source>
        <translation>{runs}开始前会显示预计时间和读取量。</translation>
    </message>
    <message>
        <source>{runs} runs</source>
        <translation>{runs} 次运行</translation>
    </message>
    <message>
        <source>{runs} take about {time} and read nothing from storage</source>
        <translation>{runs}，约需 {time}，不从存储读取</translation>
    </message>
    <message>
        <source>{runs} take about {time} and read {size} from storage</source>
        <translation>{runs}，约需 {time}，从存储读取 {size}</translation>
    </message>
    <message>
        <source>{runs} take {time} or more, as programs do more than load</source>
        <translation>{runs}至少需要 {time}，因为程序不只是加载</translation>
    </message>
    <message>
        <source>{runs}, not finished</source>
        <translation>{runs}，未完成</translation>
    </message>
    <message>
        <source>{runs}, {count} not counted</source>
        <translation>{runs}，{count} 次不计入</translation>
    </message>
    <message>
        <source>{run} came to no verdict.</source>
        <translation>{run} 没有得出结论。</translation>
    </message>
    <message>
        <source>{run} has loaded</source>
        <translation>{run} 已加载</translation>
    </message>
    <message>
        <source>{run} is loading</source>
        <translation>{run} 加载中</translation>
    </message>
    <message>
        <source>{run} is preparing</source>
        <translation>{run} 准备中</translation>
    </message>
    <message>
        <source>{run} is still running.</source>
        <translation>{run} 仍在运行。</translation>
    </message>
    <message>
        <source>{run} of experiment {experiment}</source>
        <translation>实验 {experiment} 的第 {run} 次运行</translation>
    </message>
    <message>
        <source>{run} of {model}</source>
        <translation>{model} 的{run}</translation>
    </message>
    <message>
        <source>{run} was imported: where it was measured is uncertain.</source>
        <translation>{run} 是导入的：无法确定它在何处测量。</translation>
    </message>
    <message>
        <source>{run} was measured {where}.</source>
        <translation>{run} 的测量{where}进行。</translation>
    </message>
    <message>
        <source>{run}. {why}</source>
        <translation>{run}。{why}</translation>
    </message>
    <message>
        <source>{run}; not counted: {why}</source>
        <translation>{run}；不计入：{why}</translation>
    </message>
    <message>
        <source>{samples} samples</source>
        <translation>{samples} 个样本</translation>
    </message>
    <message>
        <source>{seen}, many readers {factor}× as fast as one</source>
        <translation>{seen}，多个读取器的速度是一个的 {factor} 倍</translation>
    </message>
    <message>
        <source>{sentence}.</source>
        <translation>{sentence}。</translation>
    </message>
    <message>
        <source>{series}: unknown here, only Linux reports it.</source>
        <translation>{series}：此处未知，只有 Linux 提供。</translation>
    </message>
    <message>
        <source>{series}: unknown here.</source>
        <translation>{series}：此处未知。</translation>
    </message>
    <message>
        <source>{server} has no Python that can run modelmon: 3.11 or newer with msgspec and psutil, or {kind}.</source>
        <translation>{server} 上没有能运行 modelmon 的 Python：需要 3.11 或更新版本并装有 msgspec 和 psutil，或 {kind}。</translation>
    </message>
    <message>
        <source>{server} refused: {words}.</source>
        <translation>{server} 拒绝：{words}。</translation>
    </message>
    <message>
        <source>{setting} isn&apos;t SETTING=VALUE.</source>
        <translation>{setting} 不是 SETTING=VALUE 的形式。</translation>
    </message>
    <message>
        <source>{setting}: no clear gain (tested {runs}× here)</source>
        <translation>{setting}：无明显收益（在此测试过 {runs} 次）</translation>
    </message>
    <message>
        <source>{setting}: not tested here, at most {time} less</source>
        <translation>{setting}：此处未测试，最多缩短 {time}</translation>
    </message>
    <message>
        <source>{setting}: {share} less time (tested {runs}× here)</source>
        <translation>{setting}：耗时减少 {share}（在此测试过 {runs} 次）</translation>
    </message>
    <message>
        <source>{share} (PSI)</source>
        <translation>{share}（PSI）</translation>
    </message>
    <message>
        <source>{share} ({cached} of {pages} pages)</source>
        <translation>{share}（{pages} 页中的 {cached} 页）</translation>
    </message>
    <message>
        <source>{share} before measuring</source>
        <translation>测量前 {share}</translation>
    </message>
    <message>
        <source>{share} busy processors</source>
        <translation>处理器繁忙 {share}</translation>
    </message>
    <message>
        <source>{share} copying</source>
        <translation>复制 {share}</translation>
    </message>
    <message>
        <source>{share} decoding</source>
        <translation>解码 {share}</translation>
    </message>
    <message>
        <source>{share} disk</source>
        <translation>磁盘 {share}</translation>
    </message>
    <message>
        <source>{share} less time</source>
        <translation>时间少 {share}</translation>
    </message>
    <message>
        <source>{share} less time than {other}</source>
        <translation>用时比 {other} 少 {share}</translation>
    </message>
    <message>
        <source>{share} longer</source>
        <translation>多用 {share}</translation>
    </message>
    <message>
        <source>{share} memory</source>
        <translation>内存 {share}</translation>
    </message>
    <message>
        <source>{share} now</source>
        <translation>现在 {share}</translation>
    </message>
    <message>
        <source>{share} of a core busy</source>
        <translation>占用单核的 {share}</translation>
    </message>
    <message>
        <source>{share} of all processors&apos; time</source>
        <translation>占全部处理器时间的 {share}</translation>
    </message>
    <message>
        <source>{share} of its bytes are on disk</source>
        <translation>其 {share} 的字节在磁盘上</translation>
    </message>
    <message>
        <source>{share} of the file was cached at the start</source>
        <translation>开始时文件的 {share} 已缓存</translation>
    </message>
    <message>
        <source>{share} of the model</source>
        <translation>模型的 {share}</translation>
    </message>
    <message>
        <source>{share} of the readers&apos; time</source>
        <translation>读取器时间的 {share}</translation>
    </message>
    <message>
        <source>{share} of the wait comes after reading</source>
        <translation>等待时间的 {share} 在读取之后</translation>
    </message>
    <message>
        <source>{share} of the wait comes before reading</source>
        <translation>等待时间的 {share} 在读取之前</translation>
    </message>
    <message>
        <source>{share} of the wait is reading: {reading} of {wall}</source>
        <translation>等待时间的 {share} 用于读取：{wall} 中的 {reading}</translation>
    </message>
    <message>
        <source>{share} of the wait is {phase}</source>
        <translation>{share} 的等待时间是{phase}</translation>
    </message>
    <message>
        <source>{share} of {whole}</source>
        <translation>占 {whole} 的 {share}</translation>
    </message>
    <message>
        <source>{share} other</source>
        <translation>其他 {share}</translation>
    </message>
    <message>
        <source>{share} page faults</source>
        <translation>缺页 {share}</translation>
    </message>
    <message>
        <source>{share} was already cached</source>
        <translation>{share} 的数据已缓存</translation>
    </message>
    <message>
        <source>{share} when opened</source>
        <translation>打开时 {share}</translation>
    </message>
    <message>
        <source>{share} {what}</source>
        <translation>{share} 的时间用于{what}</translation>
    </message>
    <message>
        <source>{share}, {cached} of {total}</source>
        <translation>{share}，{total} 中的 {cached}</translation>
    </message>
    <message>
        <source>{shown} of {known} runs</source>
        <translation>{known} 次运行中的 {shown} 次</translation>
    </message>
    <message>
        <source>{since} ({source}).</source>
        <translation>{since}（{source}）。</translation>
    </message>
    <message>
        <source>{since} instead of {before}.</source>
        <translation>{since}，而不是 {before}。</translation>
    </message>
    <message>
        <source>{size}</source>
        <translation>{size}</translation>
    </message>
    <message>
        <source>{size} ({share} of it) at {rate}</source>
        <translation>{size}（占 {share}），{rate}</translation>
    </message>
    <message>
        <source>{size} RAM</source>
        <translation>{size} 内存</translation>
    </message>
    <message>
        <source>{size} available</source>
        <translation>可用 {size}</translation>
    </message>
    <message>
        <source>{size} between the rows of slices</source>
        <translation>切片各行之间的 {size}</translation>
    </message>
    <message>
        <source>{size} bytes after the last tensor belong to no tensor.</source>
        <translation>最后一个张量之后有 {size} 字节不属于任何张量。</translation>
    </message>
    <message>
        <source>{size} can represent the whole: quicker, with times for that part.</source>
        <translation>{size} 可以代表整体：更快，时间仅针对该部分。</translation>
    </message>
    <message>
        <source>{size} free</source>
        <translation>空闲 {size}</translation>
    </message>
    <message>
        <source>{size} from storage</source>
        <translation>从存储读取 {size}</translation>
    </message>
    <message>
        <source>{size} in 1 file</source>
        <translation>{size}，1 个文件</translation>
    </message>
    <message>
        <source>{size} in {count} shards</source>
        <translation>{size}，{count} 个分片</translation>
    </message>
    <message>
        <source>{size} in {files} files</source>
        <translation>{size}，共 {files} 个文件</translation>
    </message>
    <message>
        <source>{size} of files, {usable} left under the cgroup&apos;s limit</source>
        <translation>文件 {size}，cgroup 限制内剩余 {usable}</translation>
    </message>
    <message>
        <source>{size} of files, {usable} of RAM available</source>
        <translation>文件 {size}，可用内存 {usable}</translation>
    </message>
    <message>
        <source>{size} of memory</source>
        <translation>{size} 内存</translation>
    </message>
    <message>
        <source>{size} on {mount_point}</source>
        <translation>{size}，挂载于 {mount_point}</translation>
    </message>
    <message>
        <source>{size} used; oldest recordings are deleted above {limit}</source>
        <translation>已用 {size}；超过 {limit} 时删除最旧的记录</translation>
    </message>
    <message>
        <source>{size} {way}</source>
        <translation>{way} {size}</translation>
    </message>
    <message>
        <source>{size} · recording</source>
        <translation>{size} · 记录</translation>
    </message>
    <message>
        <source>{size} · {blocks} blocks</source>
        <translation>{size} · {blocks} 个块</translation>
    </message>
    <message>
        <source>{size}, doesn&apos;t fit</source>
        <translation>{size}，放不下</translation>
    </message>
    <message>
        <source>{size}, fits</source>
        <translation>{size}，放得下</translation>
    </message>
    <message>
        <source>{size}, tight</source>
        <translation>{size}，紧张</translation>
    </message>
    <message>
        <source>{size}, {tensors} tensors in {blocks} blocks</source>
        <translation>{size}，{blocks} 个块中的 {tensors} 个张量</translation>
    </message>
    <message>
        <source>{source}: {folder} can&apos;t be read</source>
        <translation>{source}：{folder} 无法读取</translation>
    </message>
    <message>
        <source>{source}: {folder} doesn&apos;t exist</source>
        <translation>{source}：{folder} 不存在</translation>
    </message>
    <message>
        <source>{source}: {folder} doesn&apos;t respond</source>
        <translation>{source}：{folder} 没有响应</translation>
    </message>
    <message>
        <source>{source}: {folder}, {models} found</source>
        <translation>{source}：{folder}，找到 {models} 个</translation>
    </message>
    <message>
        <source>{stalled} of the time now (PSI)</source>
        <translation>当前占时间的 {stalled}（PSI）</translation>
    </message>
    <message>
        <source>{standing}, A now</source>
        <translation>{standing}，A 当前</translation>
    </message>
    <message>
        <source>{start} start</source>
        <translation>{start}</translation>
    </message>
    <message>
        <source>{start}, not counted</source>
        <translation>{start}，未计入</translation>
    </message>
    <message>
        <source>{start}, {evidence}</source>
        <translation>{start}，{evidence}</translation>
    </message>
    <message>
        <source>{start}. One run shows no run-to-run variation. Use Compare to see whether A and B differ.</source>
        <translation>{start}。单次运行看不出波动。请用“对比”判断 A 与 B 是否有差异。</translation>
    </message>
    <message>
        <source>{state}, inferred from bytes read</source>
        <translation>{state}，由读取的字节数推断</translation>
    </message>
    <message>
        <source>{state}, {share} was cached</source>
        <translation>{state}，{share} 已缓存</translation>
    </message>
    <message>
        <source>{stem} files</source>
        <translation>{stem} 文件</translation>
    </message>
    <message>
        <source>{storage_class} ({evidence})</source>
        <translation>{storage_class}（{evidence}）</translation>
    </message>
    <message>
        <source>{storage} doesn&apos;t respond. Gave up measuring.</source>
        <translation>{storage} 没有响应，已放弃测量。</translation>
    </message>
    <message>
        <source>{storage}: fastest cold start about {time}, typical of such storage.</source>
        <translation>{storage}：最快冷启动约 {time}（此类存储的典型值）。</translation>
    </message>
    <message>
        <source>{strategy} doesn&apos;t load in one process with modelmon: there is nothing to store.</source>
        <translation>{strategy} 不在单个进程中由 modelmon 加载：没有可保存的内容。</translation>
    </message>
    <message>
        <source>{strategy} was tested, and how it reads doesn&apos;t say what others should set.</source>
        <translation>测试的是 {strategy}，它的读取方式不能说明其他程序应如何设置。</translation>
    </message>
    <message>
        <source>{swap_used} of {swap_total}</source>
        <translation>{swap_used}，共 {swap_total}</translation>
    </message>
    <message>
        <source>{swapped} in and {written} out in {interval} s</source>
        <translation>{interval} s 内换入 {swapped}，换出 {written}</translation>
    </message>
    <message>
        <source>{system} has no such call</source>
        <translation>{system} 没有这个调用</translation>
    </message>
    <message>
        <source>{tensors} tensors found in 1 block</source>
        <translation>在 1 个块中找到 {tensors} 个张量</translation>
    </message>
    <message>
        <source>{tensors} tensors found in {blocks} blocks</source>
        <translation>在 {blocks} 个块中找到 {tensors} 个张量</translation>
    </message>
    <message>
        <source>{text} ({runs})</source>
        <translation>{text}（{runs}）</translation>
    </message>
    <message>
        <source>{text} doesn&apos;t say when a program is ready.</source>
        <translation>{text} 没有说明程序何时就绪。</translation>
    </message>
    <message>
        <source>{text} is not a size.</source>
        <translation>{text} 不是大小。</translation>
    </message>
    <message>
        <source>{text} is not valid UTF-8.</source>
        <translation>{text} 不是有效的 UTF-8。</translation>
    </message>
    <message>
        <source>{text} isn&apos;t a duration.</source>
        <translation>{text}不是有效的时长。</translation>
    </message>
    <message>
        <source>{text} isn&apos;t a number of seconds.</source>
        <translation>{text} 不是秒数。</translation>
    </message>
    <message>
        <source>{text} isn&apos;t a port.</source>
        <translation>{text} 不是端口。</translation>
    </message>
    <message>
        <source>{text} isn&apos;t a regular expression: {reason}.</source>
        <translation>{text} 不是正则表达式：{reason}。</translation>
    </message>
    <message>
        <source>{throttle_events} times in {interval} s</source>
        <translation>{interval} s 内 {throttle_events} 次</translation>
    </message>
    <message>
        <source>{time_a} and {time_b}; very likely less than {same} apart.</source>
        <translation>{time_a} 和 {time_b}；相差很可能不到 {same}。</translation>
    </message>
    <message>
        <source>{timed} ({sign})</source>
        <translation>{timed}（{sign}）</translation>
    </message>
    <message>
        <source>{times}× as fast as {other}</source>
        <translation>速度是 {other} 的 {times} 倍</translation>
    </message>
    <message>
        <source>{times}× as long</source>
        <translation>{times} 倍</translation>
    </message>
    <message>
        <source>{times}× as long as {best}; a rough range from few rounds</source>
        <translation>耗时是 {best} 的 {times} 倍；轮数少，只是大致范围</translation>
    </message>
    <message>
        <source>{times}× as long as {best}; {sure} confidence, {rounds} rounds in common</source>
        <translation>用时是 {best} 的 {times} 倍；置信度 {sure}，共同轮次 {rounds}</translation>
    </message>
    <message>
        <source>{times}× the model for all nodes</source>
        <translation>所有节点共读取模型的 {times} 倍</translation>
    </message>
    <message>
        <source>{time} (predicted)</source>
        <translation>{time}（预测）</translation>
    </message>
    <message>
        <source>{time} ({share})</source>
        <translation>{time}（{share}）</translation>
    </message>
    <message>
        <source>{time} cold ({mostly})</source>
        <translation>冷启动 {time}（{mostly}）</translation>
    </message>
    <message>
        <source>{time} for {part}</source>
        <translation>{part} 用时 {time}</translation>
    </message>
    <message>
        <source>{time} for {share} of the model</source>
        <translation>{time}（模型的 {share}）</translation>
    </message>
    <message>
        <source>{time} for {size}</source>
        <translation>{time}，共 {size}</translation>
    </message>
    <message>
        <source>{time} for {size} or less, as {share} more than this came from storage, extrapolated from this part</source>
        <translation>{size} 需 {time} 或更少（从存储多读了 {share}），由这一部分推算</translation>
    </message>
    <message>
        <source>{time} for {size}, extrapolated from this part</source>
        <translation>{size} 需 {time}，由这一部分推算</translation>
    </message>
    <message>
        <source>{time} for {size}, {rate}, strategy {strategy}</source>
        <translation>{time}，共 {size}，{rate}，策略 {strategy}</translation>
    </message>
    <message>
        <source>{time} instead of {other_time}</source>
        <translation>{time}，而不是 {other_time}</translation>
    </message>
    <message>
        <source>{time} instead of {other_time} {start}</source>
        <translation>{time}，而不是 {other_time}{start}</translation>
    </message>
    <message>
        <source>{time} left</source>
        <translation>剩余 {time}</translation>
    </message>
    <message>
        <source>{time} of {wall}</source>
        <translation>{wall} 中的 {time}</translation>
    </message>
    <message>
        <source>{time} warm ({mostly})</source>
        <translation>热启动 {time}（{mostly}）</translation>
    </message>
    <message>
        <source>{time}.</source>
        <translation>{time}。</translation>
    </message>
    <message>
        <source>{time}: {did}</source>
        <translation>{time}：{did}</translation>
    </message>
    <message>
        <source>{time}: {did}.</source>
        <translation>{time}：{did}。</translation>
    </message>
    <message>
        <source>{title} can&apos;t choose {file} in this folder: it loads {loads}. Give the model a folder of its own, with names as {title} expects.</source>
        <translation>{title} 无法在此文件夹中选择 {file}：它加载{loads}。请为模型单独建立文件夹，并按 {title} 的要求命名。</translation>
    </message>
    <message>
        <source>{title} can&apos;t load this model: it takes {forms}.</source>
        <translation>{title} 无法加载此模型，它接受的是：{forms}。</translation>
    </message>
    <message>
        <source>{title} has no load setting called {name}.</source>
        <translation>{title} 没有名为 {name} 的加载设置。</translation>
    </message>
    <message>
        <source>{title} has no setting for: {missing}.</source>
        <translation>{title} 没有相应的设置：{missing}。</translation>
    </message>
    <message>
        <source>{title} has no variant called {name}.</source>
        <translation>{title} 没有名为 {name} 的变体。</translation>
    </message>
    <message>
        <source>{title} has only one load setting: nothing to compare.</source>
        <translation>{title} 只有一种加载设置，没有可比较的。</translation>
    </message>
    <message>
        <source>{title} isn&apos;t running here.</source>
        <translation>{title} 没有在此运行。</translation>
    </message>
    <message>
        <source>{title} runs as process {pid}, and its port can&apos;t be seen: watch it as the user who runs it, or as root.</source>
        <translation>{title} 以进程 {pid} 运行，但看不到它的端口：请以运行它的用户或 root 身份监视。</translation>
    </message>
    <message>
        <source>{told}.</source>
        <translation>{told}。</translation>
    </message>
    <message>
        <source>{unit} (log)</source>
        <translation>{unit}（对数）</translation>
    </message>
    <message>
        <source>{unit} of load time</source>
        <translation>加载用时，{unit}</translation>
    </message>
    <message>
        <source>{unit}/s together</source>
        <translation>合计 {unit}/s</translation>
    </message>
    <message>
        <source>{unit}; {note}</source>
        <translation>{unit}；{note}</translation>
    </message>
    <message>
        <source>{untested} of {count} strategies weren&apos;t tested</source>
        <translation>{count} 个策略中有 {untested} 个未测试</translation>
    </message>
    <message>
        <source>{upper} on {lower}</source>
        <translation>{upper} @ {lower}</translation>
    </message>
    <message>
        <source>{upper} over {lower}</source>
        <translation>{upper} 叠加于 {lower}</translation>
    </message>
    <message>
        <source>{usb_mbit_rate} Mbit/s, which is {usb_mbit_rate2} at most</source>
        <translation>{usb_mbit_rate} Mbit/s，即最高 {usb_mbit_rate2}</translation>
    </message>
    <message>
        <source>{used} of the cgroup&apos;s {limit} was in use</source>
        <translation>cgroup 的 {limit} 中已用 {used}</translation>
    </message>
    <message>
        <source>{used} of {size} used</source>
        <translation>已用 {used}，共 {size}</translation>
    </message>
    <message>
        <source>{user} user, {system} system</source>
        <translation>用户态 {user}，内核态 {system}</translation>
    </message>
    <message>
        <source>{value} (A and B)</source>
        <translation>{value}（A 和 B）</translation>
    </message>
    <message>
        <source>{variables}, unless set before: it prints its phases as they begin</source>
        <translation>{variables}（除非已设置）：各阶段开始时由程序输出</translation>
    </message>
    <message>
        <source>{verdict} ({digest})</source>
        <translation>{verdict}（{digest}）</translation>
    </message>
    <message>
        <source>{waited}: {parts}</source>
        <translation>{waited}：{parts}</translation>
    </message>
    <message>
        <source>{waits}, {samples} samples</source>
        <translation>{waits}，{samples} 个样本</translation>
    </message>
    <message>
        <source>{wanted} loads of {read} don&apos;t fit in the time limit</source>
        <translation>时限不够进行 {wanted} 次 {read} 的加载</translation>
    </message>
    <message>
        <source>{warm} instead of {cold}.</source>
        <translation>{warm}，而不是 {cold}。</translation>
    </message>
    <message>
        <source>{warm} warm</source>
        <translation>热启动 {warm}</translation>
    </message>
    <message>
        <source>{way} ({nodes})</source>
        <translation>{way}（{nodes}）</translation>
    </message>
    <message>
        <source>{way} {number} of {count}</source>
        <translation>{way} 第 {number} 次（共 {count} 次）</translation>
    </message>
    <message>
        <source>{way}, {start}</source>
        <translation>{way}，{start}</translation>
    </message>
    <message>
        <source>{way}, {start}: {nodes} nodes are ready after {last}, with {rate} in all.</source>
        <translation>{way}，{start}：{nodes} 个节点在 {last} 后就绪，总速率 {rate}。</translation>
    </message>
    <message>
        <source>{way}. {reason}</source>
        <translation>{way}。{reason}</translation>
    </message>
    <message>
        <source>{way}: latest run</source>
        <translation>{way}：最近一次运行</translation>
    </message>
    <message>
        <source>{way}: median run</source>
        <translation>{way}：中位数运行</translation>
    </message>
    <message>
        <source>{way}: one node is ready after {last}, with {rate}.</source>
        <translation>{way}：一个节点在 {last} 后就绪，速率 {rate}。</translation>
    </message>
    <message>
        <source>{way}: predicted {time} instead of {now}.</source>
        <translation>{way}：预计 {time}，而不是 {now}。</translation>
    </message>
    <message>
        <source>{way}: {kind}</source>
        <translation>{way}：{kind}</translation>
    </message>
    <message>
        <source>{way}: {ratio}× the model left the storage, where {copies}× would do.</source>
        <translation>{way}：从存储读取了模型的 {ratio} 倍，而 {copies} 倍就够。</translation>
    </message>
    <message>
        <source>{way}: {time} instead of {now}.</source>
        <translation>{way}：{time}，而不是 {now}。</translation>
    </message>
    <message>
        <source>{way}: {why}</source>
        <translation>{way}：{why}</translation>
    </message>
    <message>
        <source>{what} (other machines)</source>
        <translation>{what}（其他机器）</translation>
    </message>
    <message>
        <source>{what} is {count}; at most {possible} are possible.</source>
        <translation>{what} 为 {count}；最多允许 {possible}。</translation>
    </message>
    <message>
        <source>{what}, and never opened {model}.</source>
        <translation>{what}，但从未打开 {model}。</translation>
    </message>
    <message>
        <source>{what}, and read nothing of {model}.</source>
        <translation>{what}，但没有读取 {model} 的任何内容。</translation>
    </message>
    <message>
        <source>{what}, {start}: {amount} since {day}</source>
        <translation>{what}，{start}：自 {day} 起{amount}</translation>
    </message>
    <message>
        <source>{what}: {part}</source>
        <translation>{what}：{part}</translation>
    </message>
    <message>
        <source>{when}: {model}, {nodes}, {ways}, last ready after {time}</source>
        <translation>{when}：{model}，{nodes}，{ways}，最后就绪于 {time}</translation>
    </message>
    <message>
        <source>{where} from {source}</source>
        <translation>{where}，来自 {source}</translation>
    </message>
    <message>
        <source>{where}, from another machine or the host</source>
        <translation>{where}，来自另一台机器或宿主机</translation>
    </message>
    <message>
        <source>{where}, mostly waiting for a processor</source>
        <translation>{where}，主要在等待处理器</translation>
    </message>
    <message>
        <source>{where}, mostly waiting for storage</source>
        <translation>{where}，主要在等待存储</translation>
    </message>
    <message>
        <source>{where}, mostly waiting for the lock of a file</source>
        <translation>{where}，主要在等待文件锁</translation>
    </message>
    <message>
        <source>{where}, mostly waiting for the network</source>
        <translation>{where}，主要在等待网络</translation>
    </message>
    <message>
        <source>{where}, which fetches from an object store</source>
        <translation>{where}，它从对象存储获取数据</translation>
    </message>
    <message>
        <source>{where}: the kernel may drop the mapped part and read it again.</source>
        <translation>{where}：内核可能丢弃映射的部分，之后再重新读取。</translation>
    </message>
    <message>
        <source>{where}: {block}, 1 tensor</source>
        <translation>{where}：{block}，1 个张量</translation>
    </message>
    <message>
        <source>{where}: {block}, {count} tensors</source>
        <translation>{where}：{block}，{count} 个张量</translation>
    </message>
    <message>
        <source>{who} share {rate} ({low} to {high}), which one alone uses up.</source>
        <translation>{who}共享 {rate}（{low} 到 {high}），一个节点即可用尽。</translation>
    </message>
    <message>
        <source>{who} share {rate} ({low} to {high}), which {knee} of them use up.</source>
        <translation>{who}共享 {rate}（{low} 到 {high}），{knee} 个节点即可用尽。</translation>
    </message>
    <message>
        <source>{why} Install it: pip install &apos;ray[client]&apos;.</source>
        <translation>{why}安装：pip install &apos;ray[client]&apos;。</translation>
    </message>
    <message>
        <source>{why} See the log for the others.</source>
        <translation>{why}其余见日志。</translation>
    </message>
    <message>
        <source>{why} Watch process {pid}{terminal}, and load the model there.</source>
        <translation>{why} 请观察进程 {pid}{terminal}，并在那里加载模型。</translation>
    </message>
    <message>
        <source>{why} Whether it fits in memory is unknown.</source>
        <translation>{why} 无法得知内存是否放得下。</translation>
    </message>
    <message>
        <source>{writes_rate} writes/s</source>
        <translation>每秒 {writes_rate} 次写入</translation>
    </message>
    <message>
        <source>{written} written just before the start</source>
        <translation>开始前一刻写入 {written}</translation>
    </message>
    <message>
        <source>×: not counted</source>
        <translation>×：未计入</translation>
    </message>
</context>
</TS>
